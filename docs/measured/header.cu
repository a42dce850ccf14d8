// 記録 header.jsonl: 持ち帰るヘッダの短い合計 (small)、最小、最大、最大の番号と CUB (extremes)。float で、L2 が冷たい所から、
// 同じプロセスの中で 1 回ずつ交互に測る。答えは tests/device/reduce.cu が確かめる。行と列は rows.jsonl にある
// crowded は、ほかのカーネルが SM を 1 つだけ残してふさいでいても、正しく終わるかを見る
#include "5.9/compare.cuh"

#include <cub/device/device_reduce.cuh>
#include <deque>

using namespace compare;

struct Bench {
    Device d{(size_t(1) << 32) * sizeof(float) + kColdBytes, false};
    using Calls = std::vector<std::pair<const char*, std::function<void(int)>>>;  // 時間の呼び名と、呼び方
    Bench() {
        fill<<<d.sms * 4, 512, 0, d.stream>>>(d.as<float>(d.data), d.dataBytes / sizeof(float));
        CHECK(cudaGetLastError());
    }
    void record(const char* what, const Plan& p, const Calls& calls) {
        constexpr int kRepeat = 11;
        std::deque<Side> sides;
        std::vector<Side*> turns;
        for (auto& [name, call] : calls) turns.push_back(&sides.emplace_back(d, p.calls, call));
        takeTurns(turns, kRepeat, [](const Side&, int) { return true; });
        printf("{\"listing\": \"header\", \"what\": \"%s\", \"type\": \"float\", \"n\": %zu, \"bytes\": %zu, ", what,
               p.n, p.n * sizeof(float));
        for (size_t k = 0; k < calls.size(); k++) printf("%s, ", json(sides[k].us, calls[k].first).c_str());
        printf("\"cub\": \"%s\", \"calls\": %d, \"repeat\": %d, \"device\": \"%s\", \"peak_gbs\": %.6g}\n",
               versionName(CUB_VERSION).c_str(), p.calls, kRepeat, book::deviceName().c_str(), book::peakGBs());
        fflush(stdout);
    }
};

static void extremes() {
    Bench b;
    Device& d = b.d;
    size_t bytes = kTempBytes, room = kTempBytes;  // 足りなければ、どちらのライブラリもエラーを返す
    book::Array<char> work(bytes);
    CHECK(reduce::prepare(work.data, bytes));
    book::Array<reduce::Found<float>> found(kMaxCalls);
    book::Array<long long> places(kMaxCalls);
    float* outs = d.as<float>(d.outs);
    for (size_t n = 1 << 10; n <= size_t(1) << 32; n *= 4) {
        const Plan p(d, n, sizeof(float));
        const auto x = [&](int c) { return d.as<const float>(d.data) + p.first(c); };
        const auto record = [&](const char* what, auto ours, auto cub) {
            b.record(what, p,
                     {{"", [&](int c) { CHECK(ours(c)); }},
                      {"cub_", [&](int c) { CHECK(cub(c)); }},
                      {"sum_", [&](int c) { d.work.sum(x(c), n, outs + c, d.stream); }}});
        };
        record(
            "min", [&](int c) { return reduce::min(work.data, bytes, x(c), outs + c, n, d.stream); },
            [&](int c) { return cub::DeviceReduce::Min(d.temp, room, x(c), outs + c, n, d.stream); });
        record(
            "max", [&](int c) { return reduce::max(work.data, bytes, x(c), outs + c, n, d.stream); },
            [&](int c) { return cub::DeviceReduce::Max(d.temp, room, x(c), outs + c, n, d.stream); });
        record(
            "argmax", [&](int c) { return reduce::argmax(work.data, bytes, x(c), found + c, n, d.stream); },
            [&](int c) {
                return cub::DeviceReduce::ArgMax(d.temp, room, x(c), outs + c, places + c, (long long)n, d.stream);
            });
    }
}

// ヘッダの合計を、何もしないカーネル、1 語を読んで書くだけのカーネル、1 ワープで 32 個を畳むだけのカーネル、
// ヘッダと同じ 256 スレッドで読むが、畳まずに書くカーネルと並べる。どれも 1 ブロックで足りる長さ
__global__ void nothing() {}
__global__ void copyOne(const float* in, float* out) { *out = *in; }
__global__ void foldOneWarp(const float* in, float* out) {
    float v = in[threadIdx.x];
    for (int stride = 16; stride > 0; stride /= 2) v += __shfl_xor_sync(~0u, v, stride);
    if (threadIdx.x == 0) *out = v;
}
__global__ void readOnly(const float4* in, size_t vectors, float* out) {
    float4 q[4] = {};
    for (unsigned k = 0; k < 4; k++)
        if (threadIdx.x + k * 256 < vectors) q[k] = __ldg(in + threadIdx.x + k * 256);
    float v = 0;
    for (const float4& x : q) v += x.x + x.y + x.z + x.w;
    __syncthreads();
    if (threadIdx.x == 0) *out = v;
}
static void small() {
    Bench b;
    Device& d = b.d;
    float* outs = d.as<float>(d.outs);
    for (size_t n : {1, 32, 256, 1024, 4096}) {
        const Plan p(d, n, sizeof(float));
        const auto x = [&](int c) { return d.as<const float>(d.data) + p.first(c); };
        b.record("small", p,
                 {{"", [&](int c) { d.work.sum(x(c), n, outs + c, d.stream); }},
                  {"copy_", [&](int c) { copyOne<<<1, 1, 0, d.stream>>>(x(c), outs + c); }},
                  {"empty_", [&](int) { nothing<<<1, 1, 0, d.stream>>>(); }},
                  {"warp_", [&](int c) { foldOneWarp<<<1, 32, 0, d.stream>>>(x(c), outs + c); }},
                  {"read_", [&](int c) {
                       readOnly<<<1, 256, 0, d.stream>>>(reinterpret_cast<const float4*>(x(c)), (n + 3) / 4, outs + c);
                   }}});
    }
}

// 共有メモリを全部取り、合図があるまで終わらない。1 ブロックで、SM を 1 つふさぐ
__global__ void occupy(const volatile int* quit) {
    extern __shared__ char room[];
    room[0] = 0;
    while (*quit == 0) {
    }
}
static void crowded() {
    constexpr size_t kMost = 1 << 25;  // 33 行なら、1 行が数百個に切られる
    int sms, shared;
    volatile int* quit;
    CHECK(reduce::smCount(sms));
    CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    CHECK(cudaFuncSetAttribute(occupy, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    CHECK(cudaHostAlloc((void**)&quit, sizeof *quit, cudaHostAllocDefault));
    cudaStream_t other, stream;
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const std::vector<float> ones(kMost, 1);  // どの合計も、float で正確に表せる
    book::Array<float> x(ones.data(), kMost), out(kMost);
    size_t bytes = kTempBytes;
    book::Array<char> work(bytes);
    CHECK(reduce::prepare(work.data, bytes));
    for (const auto& [rows, columns, byRow] : std::vector<std::tuple<size_t, size_t, bool>>{{1, kMost, true},
                                                                                            {1, 1 << 20, true},
                                                                                            {33, kMost / 33, true},
                                                                                            {kMost / 7, 7, false},
                                                                                            {kMost / 64, 64, false}}) {
        const auto add = byRow ? reduce::sumRows<void, float, float*> : reduce::sumColumns<void, float, float*>;
        // 1 度目に、カーネルを読み込んでおく。装置が空くのを待つことがあるので、ふさぐ前に済ませる
        double ms = 0;
        for (const bool taken : {false, true}) {
            *quit = 0;
            CHECK(cudaDeviceSynchronize());
            if (taken) occupy<<<sms - 1, 1024, shared, other>>>(quit);
            const double before = book::nowMs();
            CHECK(add(work.data, bytes, x.data, out.data, rows, columns, columns, stream));
            CHECK(cudaStreamSynchronize(stream));
            ms = book::nowMs() - before;
            *quit = 1;
        }
        std::vector<float> got(byRow ? rows : columns);
        CHECK(cudaDeviceSynchronize());
        out.copyTo(got.data(), got.size());
        const bool agree = std::count(got.begin(), got.end(), float(byRow ? columns : rows)) == (long)got.size();
        printf(
            "{\"listing\": \"header\", \"what\": \"crowded\", \"each\": \"%s\", \"rows\": %zu, \"columns\": %zu, "
            "\"sms\": %d, \"taken\": %d, \"ms\": %.6g, \"agree\": %s, \"device\": \"%s\"}\n",
            byRow ? "row" : "column", rows, columns, sms, sms - 1, ms, agree ? "true" : "false",
            book::deviceName().c_str());
        fflush(stdout);
    }
}

int main(int argc,
         char** argv) {  // 1 つずつ、別のプロセスで。続けて測ると、後のものが 1 回に 0.3 µs 遅い (理由は確かめていない)
    const std::string what = argc > 1 ? argv[1] : "";
    what == "small" ? small() : what == "extremes" ? extremes() : crowded();
}
