// gpus.cu の道具: 1 枚の GPU、頼むスレッド、集め方
#pragma once
#include "5.12/nccl.cuh"
#include "5.9/compare.cuh"
#include "harness.h"

#include <atomic>
#include <map>
#include <thread>

using reduce::Word;

constexpr size_t kMostFloats = size_t(1) << 35;  // 1 枚に置く個数の最大
constexpr size_t kWeakFloats = size_t(1) << 33;  // 弱い伸びの、1 枚の個数
constexpr size_t kColdFloats =
    size_t(1) << 28;  // 短い配列は、これだけの範囲の別々の場所を順に足す。L2 よりずっと大きい
constexpr size_t kStreamFloats = size_t(1) << 30;  // 1 枚に流す個数
constexpr unsigned kEmpty = ~0u;                   // まだ届いていない印。この入力の合計にはならない

// --------------------------------------------------------------------------------------------- 1 枚の GPU
struct Card {
    int device, sms;
    cudaStream_t stream, second;
    float *data, *out;  // 入力と、自分の合計 (この GPU のメモリ)
    size_t capacity;
    Word* exact;
    std::shared_ptr<Workspace[]> work;  // ストリームごとに 1 つ
    size_t first() const { return size_t(device) << 40; }  // 入力は、GPU ごとに違う
};

__global__ void fillFrom(float* out, size_t first, size_t n) {
    const size_t grid = size_t(gridDim.x) * blockDim.x;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += grid)
        out[i] = float(compare::raw<float>(first + i)) * 0x1p-24f;
}
__global__ void post(const float* out, Word* slot) { atomicExch_system(slot, Word(1) << 32 | __float_as_uint(*out)); }
__global__ void collect(Word* slots, int count, float* out) {
    float v = 0;
    for (int k = 0; k < count; k++) {
        Word word = 0;
        while (word == 0) word = atomicExch_system(&slots[k], 0);
        v += __uint_as_float(unsigned(word));
    }
    *out = v;
}

static std::vector<Card>& cards = *new std::vector<Card>;  // 壊さない: 装置は、静的変数より先に終わる
static volatile float* totals;  // ホストの、固定したメモリ。GPU が直に書く
static Word* inbox;             // GPU 0 の封筒
static std::vector<ncclComm_t> comms;

static void openCards() {
    int count;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaHostAlloc((void**)&totals, 64 * 4096, cudaHostAllocPortable | cudaHostAllocMapped));
    for (int d = 0; d < count; d++) {
        Card c{};
        c.device = d;
        use(c.device);
        CHECK(cudaDeviceGetAttribute(&c.sms, cudaDevAttrMultiProcessorCount, d));
        for (int peer = 0; peer < count; peer++)
            if (peer != d) CHECK(cudaDeviceEnablePeerAccess(peer, 0));
        CHECK(cudaStreamCreateWithFlags(&c.stream, cudaStreamNonBlocking));
        CHECK(cudaStreamCreateWithFlags(&c.second, cudaStreamNonBlocking));
        CHECK(cudaMalloc(&c.out, 4096));
        CHECK(cudaMalloc(&c.exact, 8));
        c.work.reset(new Workspace[2]);
        size_t free, total;
        CHECK(cudaMemGetInfo(&free, &total));
        for (c.capacity = kMostFloats; c.capacity * 4 > free - (size_t(2) << 30);) c.capacity /= 2;
        CHECK(cudaMalloc(&c.data, c.capacity * 4));
        fillFrom<<<c.sms * 4, 512, 0, c.stream>>>(c.data, c.first(), c.capacity);
        CHECK(cudaGetLastError());
        if (d == 0) {
            CHECK(cudaMalloc(&inbox, 4096));
            CHECK(cudaMemset(inbox, 0, 4096));
        }
        cards.push_back(c);
    }
    for (Card& c : cards) await(c.stream, c.device);
}

// c の at 番目から n 個の、整数で求めた正確な合計
static double exactSum(const Card& c, size_t at, size_t n) {
    unsigned long long sum;
    use(c.device);
    CHECK(cudaMemsetAsync(c.exact, 0, 8, c.stream));
    compare::sumExact<float><<<c.sms * 8, 512, 0, c.stream>>>(c.first() + at, n, c.exact);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(&sum, c.exact, 8, cudaMemcpyDeviceToHost, c.stream));
    await(c.stream, c.device);
    return double(sum) * 0x1p-24;
}

// --------------------------------------------------------------------------------------------- 頼むスレッド
// 1 枚に 1 つのスレッド。回って待っているので、合図からすぐに頼める
struct Crew {
    std::atomic<int> turn{0}, done{0};
    std::atomic<bool> quit{false};
    std::function<void(int me)> job;
    std::vector<std::thread> threads;
    explicit Crew(int count) {
        for (int k = 1; k < count; k++)
            threads.emplace_back([this, k] {
                for (int seen = 0;;) {
                    while (turn.load(std::memory_order_acquire) == seen)
                        if (quit) return;
                    seen++;
                    job(k);
                    done.fetch_add(1, std::memory_order_release);
                }
            });
    }
    ~Crew() {
        quit = true;
        for (auto& t : threads) t.join();
    }
    void run() {  // 自分は 0 番目の分をする。全員が終えるまで待つ
        done = 0;
        turn.fetch_add(1, std::memory_order_release);
        job(0);
        while (done.load(std::memory_order_acquire) < int(threads.size())) {
        }
    }
};

// --------------------------------------------------------------------------------------------- 集め方
struct Way {
    const char* name;
    std::function<float()> sum;  // 頼み始めてから、合計を返すまで
};
struct Round {  // 1 回に足すもの
    int count;
    std::vector<Part> parts;
    size_t at = 0;  // どの GPU でも、配列のここから
    Round(int count, size_t n) : count(count) {
        for (int k = 0; k < count; k++) parts.push_back(partOf((long long)n, k, count));
    }
    void sum(const Card& c, float* out, cudaStream_t stream) const {
        c.work[0].sum(c.data + at, size_t(parts[c.device].length), out, stream);
    }
    float* host(int k) const { return const_cast<float*>(totals) + k * 64; }  // 別々のキャッシュラインに
    float add() const {
        float v = 0;
        for (int k = 0; k < count; k++) v += *host(k);
        return v;
    }
    bool arrived(int k) const { return *(volatile unsigned*)host(k) != kEmpty; }
    void clear() const {
        for (int k = 0; k < count; k++) *(volatile unsigned*)host(k) = kEmpty;
    }
};

// 起動をグラフにしたもの。場所ごとに 1 度だけ作る
struct Graphs {
    std::vector<std::map<size_t, cudaGraphExec_t>> made{cards.size()};  // 1 枚に 1 つのスレッドからしか触らない
    void launch(const Round& r, const Card& c) {
        cudaGraphExec_t& exec = made[c.device][r.at];
        if (!exec) {
            cudaGraph_t graph;
            CHECK(cudaStreamBeginCapture(c.stream, cudaStreamCaptureModeThreadLocal));
            r.sum(c, r.host(c.device), c.stream);
            CHECK(cudaStreamEndCapture(c.stream, &graph));
            CHECK(cudaGraphInstantiate(&exec, graph, 0));
            CHECK(cudaGraphDestroy(graph));
        }
        CHECK(cudaGraphLaunch(exec, c.stream));
    }
    ~Graphs() {
        for (auto& some : made)
            for (auto& [at, exec] : some) CHECK(cudaGraphExecDestroy(exec));
    }
};

static void waitFor(const Round& r) {  // 1 語ずつ届くのを、ホストが見て待つ
    const double end = book::nowMs() + 2e4;
    for (int k = 0; k < r.count; k++)
        for (int spins = 1; !r.arrived(k); spins++)
            if (spins % (1 << 20) == 0 && book::nowMs() > end) book::badUsage("GPU の合計が、20 秒待っても届かない");
}

static std::vector<Way> waysOf(Round& r, Crew& crew, Graphs& graphs) {
    auto each = [&r](auto job) {
        for (int k = 0; k < r.count; k++) use(k), job(cards[k]);
    };
    auto finish = [&r] {
        use(0);
        CHECK(cudaMemcpyAsync(r.host(0), cards[0].out, 4, cudaMemcpyDeviceToHost, cards[0].stream));
        await(cards[0].stream, 0);
        return *r.host(0);
    };
    auto direct = [&r](auto ask) {  // 合計を、ホストの場所に直に書かせる
        return [&r, ask] {
            r.clear();
            ask();
            waitFor(r);
            return r.add();
        };
    };
    auto together = [&crew](auto job) {  // 1 枚に 1 つのスレッドから頼む
        crew.job = [job](int k) { use(k), job(cards[k]); };
        crew.run();
    };
    auto plain = [&r](Card& c) { r.sum(c, r.host(c.device), c.stream); };
    auto replay = [&r, &graphs](Card& c) { graphs.launch(r, c); };
    return {
        {"copy",  // 1 枚ずつ、合計を写す
         [&r, each] {
             each([&](Card& c) {
                 r.sum(c, c.out, c.stream);
                 CHECK(cudaMemcpyAsync(r.host(c.device), c.out, 4, cudaMemcpyDeviceToHost, c.stream));
             });
             each([&](Card& c) { await(c.stream, c.device); });
             return r.add();
         }},
        {"nccl",
         [&r, each, finish] {
             each([&](Card& c) { r.sum(c, c.out, c.stream); });
             CHECK_NCCL(ncclGroupStart());
             for (int k = 0; k < r.count; k++)
                 CHECK_NCCL(ncclReduce(cards[k].out, cards[k].out, 1, ncclFloat, ncclSum, 0, comms[k],
                                       cards[k].stream));
             CHECK_NCCL(ncclGroupEnd());
             return finish();
         }},
        {"word",
         [&r, each, finish] {
             each([&](Card& c) {
                 r.sum(c, c.out, c.stream);
                 post<<<1, 1, 0, c.stream>>>(c.out, inbox + c.device);
             });
             use(0);
             collect<<<1, 1, 0, cards[0].stream>>>(inbox, r.count, cards[0].out);
             CHECK(cudaGetLastError());
             return finish();
         }},
        {"flag", direct([=] { each(plain); })},
        {"graph", direct([=] { each(replay); })},
        {"threads", direct([=] { together(plain); })},
        {"both", direct([=] { together(replay); })},
    };
}
