// 記録 gpus.jsonl: いくつもの GPU での総和を、枚数、長さ、集め方ごとに測る。1 行 1 つの JSON を書く
// record_gpus.py が、-fopenmp を付けて共有ライブラリにし、record か timeline を呼ぶ
#if __has_include(<nccl.h>)
#include "5.12/nccl.cuh"
#include "5.9/compare.cuh"

#include <map>

namespace word {  // 封筒のカーネルを使う
#include "5.12/6-word.cu"
}

constexpr size_t kCold = size_t(1) << 28;    // 短い配列は、この範囲の別々の場所を順に足す。L2 よりずっと大きい
constexpr size_t kStream = size_t(1) << 30;  // 1 枚に流す個数
constexpr unsigned kEmpty = ~0u;             // まだ届いていない印。この入力の合計にはならない

struct Card {  // 1 枚の GPU
    int device;
    cudaStream_t streams[2];
    Workspace work[2];  // ストリームごとに 1 つ
    book::Array<float> out{1};
    book::Array<reduce::Word> inbox{64};  // 使うのは、GPU 0 のものだけ
    static inline size_t capacity = size_t(1) << 35;  // 1 枚に置く個数
    float *data, *host;  // 入力と、その初めの、ホストへの写し。GPU ごとに違う
    float* total;        // ホストの、固定したメモリ。GPU が直に書く
    std::map<std::pair<size_t, size_t>, cudaGraphExec_t> graphs;

    Card(int d, int count) : device(use(d)) {
        for (int peer = 0; peer < count; peer++)
            if (peer != d) CHECK(cudaDeviceEnablePeerAccess(peer, 0));
        for (auto& s : streams) CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        CHECK(cudaMemset(inbox, 0, 64 * sizeof(reduce::Word)));
        CHECK(cudaHostAlloc(&total, 4, cudaHostAllocPortable));
        size_t free, all;
        CHECK(cudaMemGetInfo(&free, &all));
        while (capacity * 4 > free - (size_t(2) << 30)) capacity /= 2;
        CHECK(cudaMalloc(&data, capacity * 4));
        compare::fill<<<1024, 512>>>(data, capacity, first());
        CHECK(cudaGetLastError());
        CHECK(cudaHostAlloc(&host, kStream * 4, cudaHostAllocPortable));
        CHECK(cudaMemcpy(host, data, kStream * 4, cudaMemcpyDeviceToHost));
    }
    size_t first() const { return size_t(device) << 40; }
    void clear() const { *(volatile unsigned*)total = kEmpty; }
    float read() const {  // 届くまで待つ
        while (*(volatile unsigned*)total == kEmpty) continue;
        return *(volatile float*)total;
    }
    void sum(size_t at, size_t n, float* out) { work[0].sum(data + at, n, out, streams[0]); }
    void replay(size_t at, size_t n) {  // ホストに書く sum を、グラフで頼む。場所ごとに 1 度だけ作る
        cudaGraphExec_t& exec = graphs[{at, n}];
        if (!exec) {
            cudaGraph_t graph;
            CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal));
            sum(at, n, total);
            CHECK(cudaStreamEndCapture(streams[0], &graph));
            CHECK(cudaGraphInstantiate(&exec, graph, 0));
            CHECK(cudaGraphDestroy(graph));
        }
        CHECK(cudaGraphLaunch(exec, streams[0]));
    }
    uint64_t exact(size_t at, size_t n) const {  // 整数で求めた正確な合計
        use(device);
        const book::Array<unsigned long long> sum(1);
        CHECK(cudaMemset(sum, 0, 8));
        compare::sumExact<float><<<1024, 512>>>(first() + at, n, sum);
        CHECK(cudaGetLastError());
        return sum.first();
    }
};
static auto& cards = *new std::vector<std::unique_ptr<Card>>;  // 壊さない: 装置は、静的変数より先に終わる
static std::vector<ncclComm_t> comms;

// 1 枚に 1 つのスレッドから頼む。threads でなければ、1 つのスレッドが順に頼む
template <class Job> void each(int count, bool threads, Job job) {
#pragma omp parallel for num_threads(count) schedule(static, 1) if (threads)
    for (int k = 0; k < count; k++) use(k), job(*cards[k]);
}

// 集め方。flag から後は、合計を、ホストの場所に直に書かせる
enum { kCopy, kNccl, kWord, kFlag, kGraph, kThreads, kBoth, kWays };
constexpr const char* kNames[] = {"copy", "nccl", "word", "flag", "graph", "threads", "both"};

// どの GPU も at から n / count 個を足す。頼み始めてから、合計を返すまで
static float sum(int way, int count, size_t at, size_t n) {
    const bool direct = way >= kFlag, one = way == kNccl || way == kWord;  // one なら、GPU 0 に集める
    for (int k = 0; k < count && direct; k++) cards[k]->clear();
    if (way == kNccl) CHECK_NCCL(ncclGroupStart());
    each(count, way >= kThreads, [=](Card& c) {
        const auto [out, s] = std::pair(c.out.data, c.streams[0]);
        if (way == kGraph || way == kBoth) c.replay(at, n / count);
        else c.sum(at, n / count, direct ? c.total : out);
        if (way == kCopy) CHECK(cudaMemcpyAsync(c.total, out, 4, cudaMemcpyDeviceToHost, s));
        if (way == kWord) word::post<<<1, 1, 0, s>>>(out, cards[0]->inbox + c.device);
        if (way == kNccl) CHECK_NCCL(ncclReduce(out, out, 1, ncclFloat, ncclSum, 0, comms[c.device], s));
    });
    if (way == kNccl) CHECK_NCCL(ncclGroupEnd());
    const Card& zero = *cards[use(0)];
    if (way == kWord) word::collect<<<1, 1, 0, zero.streams[0]>>>(zero.inbox, count, zero.out);
    if (one) CHECK(cudaMemcpyAsync(zero.total, zero.out, 4, cudaMemcpyDeviceToHost, zero.streams[0]));
    CHECK(cudaGetLastError());
    float v = 0;
    for (int k = 0; k < (one ? 1 : count); k++) {
        if (!direct) awaitGpu(cards[k]->streams[0], k);
        v += cards[k]->read();
    }
    return v;
}

static void print(const char* kind, int count, size_t n, const std::string& way, const std::vector<double>& us,
                  bool agree) {
    printf(
        "{\"kind\": \"%s\", \"device\": \"%s\", \"gpus\": %d, \"type\": \"float\", \"n\": %zu, \"way\": %s, %s, "
        "\"repeat\": %zu, \"agree\": %s}\n",
        kind, book::deviceName().c_str(), count, n, way.c_str(), compare::json(us).c_str(), us.size(),
        agree ? "true" : "false");
}

// 集め方を代わる代わる測る。gap が 0 以上なら、前の合計から gap ms の間を空ける
static bool scale(int count, size_t n, int repeat, int gap = -1) {
    const size_t length = n / count, stride = std::max(length, size_t(1) << 20);
    if (length > Card::capacity) return true;  // 入らない
    const int places = int(std::clamp<size_t>(kCold / stride, std::min<size_t>(2, Card::capacity / stride), 64));
    std::vector<uint64_t> exact(places);
    std::vector<double> us[kWays];
    for (int k = 0; k < count * places; k++) exact[k / count] += cards[k % count]->exact(k / count * stride, length);
    bool agree = true;
    for (int k = -places, call = 0; k < repeat; k++)  // 準備では、どの集め方も、どの場所も 1 度足す
        for (int j = 0; j < kWays; j++) {
            const int way = k % 2 ? kWays - 1 - j : j, place = k < 0 ? k + places : call++ % places;
            const double rested = book::nowMs() + (k < 0 ? 0 : gap);
            while (book::nowMs() < rested) continue;
            const double before = book::nowMs();
            const float got = sum(way, count, place * stride, n);
            if (k >= 0) us[way].push_back((book::nowMs() - before) * 1e3);
            agree &= compare::agrees<float>(got, exact[place], n);
            for (int g = 0; g < count; g++) awaitGpu(cards[g]->streams[0], g);
        }
    for (int way = 0; way < kWays; way++)
        print(gap < 0 ? "scale" : "rest", count, n,
              book::format("\"%s\"", kNames[way]) + (gap < 0 ? "" : book::format(", \"gap_ms\": %d", gap)), us[way],
              agree);
    return agree;
}

// ホストの固定したメモリから、1 枚に length 個ずつ流しながら足す。mib は 1 度に送る大きさで、0 なら送るだけ
static bool stream(int count, const std::vector<int>& mibs, size_t length, int repeat) {
    uint64_t exact = 0;
    for (int k = 0; k < count; k++) exact += cards[k]->exact(0, kStream) * (length / kStream);
    bool agree = true;
    std::map<int, std::vector<double>> us;
    for (int k = -1; k < repeat; k++)
        for (const int mib : mibs) {
            const size_t step = mib ? size_t(mib) << 18 : kStream, steps = length / step;
            const double before = book::nowMs();
            each(count, true, [=](Card& c) {
                float *to = c.data + kStream, *parts = to + 2 * step;
                for (size_t i = 0; i < steps; i++) {
                    const int lane = i % 2;
                    CHECK(cudaMemcpyAsync(to + lane * step, c.host + i * step % kStream, step * 4,
                                          cudaMemcpyHostToDevice, c.streams[lane]));
                    if (mib) c.work[lane].sum(to + lane * step, step, parts + i, c.streams[lane]);
                }
                awaitGpu(c.streams[1], c.device);
                if (mib) c.work[0].sum(parts, steps, c.total, c.streams[0]);
                awaitGpu(c.streams[0], c.device);
            });
            if (k >= 0) us[mib].push_back((book::nowMs() - before) * 1e3);
            float got = 0;
            for (int g = 0; g < count; g++) got += cards[g]->read();
            agree &= !mib || compare::agrees<float>(got, exact, length * count);
        }
    for (auto& [mib, times] : us)
        print(length > kStream ? "longer" : "stream", count, length * count,
              book::format("\"%s\", \"chunk_mib\": %d", mib ? "sum" : "raw", mib), times, agree);
    return agree;
}

static void peer(int to) {
    std::vector<double> us;
    for (int k = -1; k < 5; k++) {
        const double before = book::nowMs();
        CHECK(cudaMemcpyPeerAsync(cards[to]->data + kStream, to, cards[0]->data, 0, kStream * 4, cards[0]->streams[0]));
        awaitGpu(cards[0]->streams[0], 0);
        if (k >= 0) us.push_back((book::nowMs() - before) * 1e3);
    }
    print("peer", 2, kStream, book::format("\"peer\", \"to\": %d", to), us, true);
}

static int open() {  // GPU の数
    int count;
    CHECK(cudaGetDeviceCount(&count));
    while (int(cards.size()) < count) cards.push_back(std::make_unique<Card>(int(cards.size()), count));
    return count;
}

extern "C" int record() {
    const int all = open();
    bool agree = true;
    int version;
    CHECK_NCCL(ncclGetVersion(&version));
    printf("{\"kind\": \"machine\", \"gpus\": %d, \"nccl\": \"%d.%d.%d\"}\n", all, version / 10000, version / 100 % 100,
           version % 100);
    for (int count = 1; count <= all; count *= 2) {
        comms.assign(count, nullptr);
        CHECK_NCCL(ncclCommInitAll(comms.data(), count, nullptr));
        for (int power : {10, 20, 22, 24, 26, 28, 30, 32, 33, 34, 35})
            agree &= scale(count, size_t(1) << power, power <= 30 ? 41 : power <= 33 ? 15 : 7);
        if (count > 4) agree &= scale(count, size_t(count) << 33, 7);
        for (int gap : {0, 1, 2, 5, 10, 20}) agree &= scale(count, 1 << 20, 21, gap);
        for (auto comm : comms) CHECK_NCCL(ncclCommDestroy(comm));
    }
    for (int to = 1; to < all; to++) peer(to);
    for (int count = 1; count <= all; count *= 2) agree &= stream(count, {0, 4, 16, 64, 256}, kStream, 11);
    agree &= stream(1, {64}, kStream * 40, 1);
    return agree ? book::kAgree : book::kDisagree;
}

// 2^26 個を 1 つの集め方で 1 度足すだけ。プロファイラの下で呼ぶ
extern "C" void timeline(int way, int place) { sum(way, open(), size_t(place) << 26, 1 << 26); }
#endif
