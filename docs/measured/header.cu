// 記録 header.jsonl: 持ち帰るヘッダの短い合計 (small)、最小、最大、最大の番号と CUB (extremes)。float で、L2 が冷たい所から、
// 同じプロセスの中で 1 回ずつ交互に測る。答えは tests/device/reduce.cu が確かめる。行と列は rows.jsonl にある
// crowded は、ほかのカーネルが SM を 1 つだけ残してふさいでいても、正しく終わるかを見る
#include "5.9/compare.cuh"

#include <cub/device/device_reduce.cuh>

using namespace compare;

constexpr int kRepeat = 11;
using Call = std::function<void(int)>;

static void record(Device& d, const Plan& p, const char* what, const Call& ours, const Call& theirs, const Call& add) {
    Side own(d, p.calls, ours), cub(d, p.calls, theirs), sum(d, p.calls, add);
    takeTurns({&own, &cub, &sum}, kRepeat, [](const Side&, int) { return true; });
    printf(
        "{\"listing\": \"header\", \"what\": \"%s\", \"type\": \"float\", \"n\": %zu, \"bytes\": %zu, %s, %s, %s, "
        "\"cub\": \"%s\", \"calls\": %d, \"repeat\": %d, \"device\": \"%s\", \"peak_gbs\": %.6g}\n",
        what, p.n, p.n * sizeof(float), json(own.us).c_str(), json(cub.us, "cub_").c_str(),
        json(sum.us, "sum_").c_str(), versionName(CUB_VERSION).c_str(), p.calls, kRepeat, book::deviceName().c_str(),
        book::peakGBs());
    fflush(stdout);
}

static void extremes() {
    Device d((size_t(1) << 32) * sizeof(float) + kColdBytes, false);
    fill<<<d.sms * 4, 512, 0, d.stream>>>(d.as<float>(d.data), d.dataBytes / sizeof(float));
    CHECK(cudaGetLastError());
    size_t bytes = 0;
    CHECK(reduce::argmax(nullptr, bytes, (const float*)nullptr, (reduce::Found<float>*)nullptr, 0));
    book::Array<char> work(bytes);
    CHECK(reduce::prepare(work.data, bytes));
    book::Array<reduce::Found<float>> found(kMaxCalls);
    book::Array<long long> places(kMaxCalls);
    for (size_t n = 1 << 10; n <= size_t(1) << 32; n *= 4) {
        const Plan p(d, n, sizeof(float));
        float* outs = d.as<float>(d.outs);
        const auto x = [&](int c) { return d.as<const float>(d.data) + p.first(c); };
        size_t room = kTempBytes;
        const Call add = [&](int c) { d.work.sum(x(c), n, outs + c, d.stream); };
        record(
            d, p, "min", [&](int c) { CHECK(reduce::min(work.data, bytes, x(c), outs + c, n, d.stream)); },
            [&](int c) { CHECK(cub::DeviceReduce::Min(d.temp, room, x(c), outs + c, n, d.stream)); }, add);
        record(
            d, p, "max", [&](int c) { CHECK(reduce::max(work.data, bytes, x(c), outs + c, n, d.stream)); },
            [&](int c) { CHECK(cub::DeviceReduce::Max(d.temp, room, x(c), outs + c, n, d.stream)); }, add);
        record(
            d, p, "argmax", [&](int c) { CHECK(reduce::argmax(work.data, bytes, x(c), found + c, n, d.stream)); },
            [&](int c) {
                CHECK(cub::DeviceReduce::ArgMax(d.temp, room, x(c), outs + c, places + c, (long long)n, d.stream));
            },
            add);
    }
}

// ヘッダの合計を、何もしないカーネル、1 語を読んで書くだけのカーネルと並べる。どれも 1 ブロックで足りる長さ
__global__ void nothing() {}
__global__ void copyOne(const float* in, float* out) { *out = *in; }
static void small() {
    Device d(kColdBytes, false);
    fill<<<d.sms * 4, 512, 0, d.stream>>>(d.as<float>(d.data), d.dataBytes / sizeof(float));
    CHECK(cudaGetLastError());
    for (size_t n : {1, 32, 256, 1024, 4096}) {
        const Plan p(d, n, sizeof(float));
        float* outs = d.as<float>(d.outs);
        const auto x = [&](int c) { return d.as<const float>(d.data) + p.first(c); };
        Side sum(d, p.calls, [&](int c) { d.work.sum(x(c), n, outs + c, d.stream); });
        Side copy(d, p.calls, [&](int c) { copyOne<<<1, 1, 0, d.stream>>>(x(c), outs + c); });
        Side empty(d, p.calls, [&](int) { nothing<<<1, 1, 0, d.stream>>>(); });
        Side wide(d, p.calls, [&](int) { nothing<<<1, 1024, 0, d.stream>>>(); });
        takeTurns({&sum, &copy, &empty, &wide}, kRepeat, [](const Side&, int) { return true; });
        printf(
            "{\"listing\": \"header\", \"what\": \"small\", \"type\": \"float\", \"n\": %zu, %s, %s, %s, %s, "
            "\"calls\": %d, \"repeat\": %d, \"device\": \"%s\"}\n",
            n, json(sum.us).c_str(), json(copy.us, "copy_").c_str(), json(empty.us, "empty_").c_str(),
            json(wide.us, "wide_").c_str(), p.calls, kRepeat, book::deviceName().c_str());
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
    int sms, shared, *quit;
    CHECK(reduce::smCount(sms));
    CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    CHECK(cudaFuncSetAttribute(occupy, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    CHECK(cudaHostAlloc(&quit, sizeof *quit, cudaHostAllocDefault));
    cudaStream_t other, stream;
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const std::vector<float> ones(kMost, 1);  // どの合計も、float で正確に表せる
    book::Array<float> x(ones.data(), kMost), out(kMost);
    size_t bytes = 0;
    CHECK(reduce::sumRows(nullptr, bytes, x.data, out.data, 1, 1, 1));
    book::Array<char> work(bytes);
    CHECK(reduce::prepare(work.data, bytes));
    CHECK(cudaDeviceSynchronize());
    const struct Case {
        size_t rows, columns;
        bool byRow;
    } cases[] = {
        {1, kMost, true}, {1, 1 << 20, true}, {33, kMost / 33, true}, {kMost / 7, 7, false}, {kMost / 64, 64, false}};
    for (const Case& k : cases) {
        const size_t rows = k.rows, columns = k.columns;
        const bool byRow = k.byRow;
        const auto sum = [&] {
            CHECK((byRow ? reduce::sumRows<void, float, float*>
                         : reduce::sumColumns<void, float, float*>)(work.data, bytes, x.data, out.data, rows, columns,
                                                                    columns, stream));
            CHECK(cudaStreamSynchronize(stream));
        };
        sum();  // カーネルを読み込んでおく。装置が空くのを待つことがあるので、ふさぐ前に済ませる
        *(volatile int*)quit = 0;
        occupy<<<sms - 1, 1024, shared, other>>>(quit);
        CHECK(cudaGetLastError());
        const double before = book::nowMs();
        sum();
        const double ms = book::nowMs() - before;
        *(volatile int*)quit = 1;
        CHECK(cudaDeviceSynchronize());
        std::vector<float> got(byRow ? rows : columns);
        out.copyTo(got.data(), got.size());
        const bool agree = std::count(got.begin(), got.end(), float(byRow ? columns : rows)) == (long)got.size();
        printf("{\"listing\": \"header\", \"what\": \"crowded\", \"each\": \"%s\", \"rows\": %zu, \"columns\": %zu, ",
               byRow ? "row" : "column", rows, columns);
        printf("\"sms\": %d, \"taken\": %d, \"ms\": %.6g, \"agree\": %s, \"device\": \"%s\"}\n", sms, sms - 1, ms,
               agree ? "true" : "false", book::deviceName().c_str());
        fflush(stdout);
    }
    CHECK(cudaFreeHost(quit));
    CHECK(cudaStreamDestroy(other));
    CHECK(cudaStreamDestroy(stream));
}

int main(int argc, char** argv) {  // 1 つずつ、別のプロセスで。続けて測ると、後のものが 1 回に 0.3 µs 遅い (理由は確かめていない)
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "small") small();
    else if (what == "extremes") extremes();
    else if (what == "crowded") crowded();
    else return fprintf(stderr, "header small、header extremes、header crowded のどれかで動かす\n"), 2;
}
