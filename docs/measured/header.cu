// 記録 header.jsonl: 持ち帰るヘッダと CUB と、配列の合計では 5.9 の総和の時間。同じプロセスの中で、1 回ずつ交互に、冷たい L2 から測る
// 配列は 5 つの型の合計と、float の最小、最大、最大の番号。行列は、行と列の合計 (列の合計は CUB にない)
#include "5.11/libraries.cuh"
#include "reduce/reduce.cuh"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

using namespace libraries;

constexpr int kRepeat = 11;
static book::Array<char>* work;  // ヘッダの作業領域
static size_t workBytes;

// 交互に測り、1 行に書く。配列なら rows は 0。比べる相手がなければ、空の関数を渡す
using Call = std::function<void(int)>;
static void record(Device& d, int calls, const char* what, size_t rows, size_t columns, const char* type, double bytes,
                   const Call& ours, const Call& theirs, const Call& listing, const std::function<bool()>& agrees) {
    const Call nothing = [](int) {};
    Side own(d, calls, ours), cub(d, theirs ? calls : 0, theirs ? theirs : nothing);
    Side old(d, listing ? calls : 0, listing ? listing : nothing);
    Side* sides[] = {&own, &cub, &old};
    bool agree = true;
    for (int k = 0; k <= kRepeat; k++)
        for (int j = 0; j < 3; j++) {
            Side& side = *sides[(k + j) % 3];
            if (side.calls == 0) continue;
            side.sample();
            if (k == 0 && &side == &own && agrees) agree = agrees();
            if (k == 0) side.us.clear();  // 1 回目は準備を含む
        }
    const Spread o = spread(own.us);
    printf("{\"listing\": \"header\", \"what\": \"%s\", \"type\": \"%s\", ", what, type);
    if (rows > 0) printf("\"rows\": %zu, \"columns\": %zu, ", rows, columns);
    else printf("\"n\": %zu, ", columns);
    printf("\"bytes\": %.0f, \"us\": %.6g, \"us_min\": %.6g, \"us_max\": %.6g, ", bytes, o.median, o.low, o.high);
    if (theirs)
        printf("\"cub_us\": %.6g, \"cub\": \"%d.%d.%d\", ", book::median(cub.us), CUB_VERSION / 100000,
               CUB_VERSION / 100 % 1000, CUB_VERSION % 100);
    if (listing) printf("\"listing_us\": %.6g, ", book::median(old.us));
    if (agrees) printf("\"agree\": %s, ", agree ? "true" : "false");
    printf("\"calls\": %d, \"repeat\": %d, \"device\": \"%s\", \"peak_gbs\": %.6g}\n", calls, kRepeat,
           book::deviceName().c_str(), book::peakGBs());
    fflush(stdout);
}

struct ToFloat {
    template <class T> __host__ __device__ float operator()(T v) const { return float(v); }
};
template <class In> void arrays(Device& d, const char* type) {
    fill<<<d.sms * 4, 512, 0, d.stream>>>(d.as<In>(d.data), d.dataBytes / sizeof(In));
    CHECK(cudaGetLastError());
    for (size_t n = 1 << 10; n <= size_t(1) << 32 && n * sizeof(In) <= d.dataBytes; n *= 4) {
        const Plan p(d, n, sizeof(In));
        const In* data = d.as<const In>(d.data);
        Sum<In>* outs = d.as<Sum<In>>(d.outs);
        const auto exact = exactSums<In>(d, p);
        const auto each = [&](const char* what, const Call& ours, const Call& theirs, const Call& listing,
                              const std::function<bool()>& agrees) {
            record(d, p.calls, what, 0, n, type, double(n) * sizeof(In), ours, theirs, listing, agrees);
        };
        each(
            "sum", [&](int c) { CHECK(reduce::sum(work->data, workBytes, data + p.first(c), outs + c, n, d.stream)); },
            [&](int c) {
                size_t bytes = kTempBytes;
                if constexpr (sizeof(In) > 2)
                    CHECK(cub::DeviceReduce::Sum(d.temp, bytes, data + p.first(c), outs + c, n, d.stream));
                else
                    CHECK(cub::DeviceReduce::TransformReduce(d.temp, bytes, data + p.first(c), outs + c, n,
                                                             thrust::plus<float>(), ToFloat(), 0.0f, d.stream));
            },
            [&](int c) { sumAsync(data + p.first(c), n, outs + c, d.slots, d.sms, d.stream); },
            [&] { return allAgree<In>(d, p, exact); });
        if constexpr (std::is_same_v<In, float>) {
            static book::Array<reduce::Found<float>> found(kMaxCalls);
            static book::Array<long long> places(kMaxCalls);
            each(
                "min",
                [&](int c) { CHECK(reduce::min(work->data, workBytes, data + p.first(c), outs + c, n, d.stream)); },
                [&](int c) {
                    size_t bytes = kTempBytes;
                    CHECK(cub::DeviceReduce::Min(d.temp, bytes, data + p.first(c), outs + c, n, d.stream));
                },
                nullptr, nullptr);  // 答えは tests/device/reduce.cu が確かめる
            each(
                "max",
                [&](int c) { CHECK(reduce::max(work->data, workBytes, data + p.first(c), outs + c, n, d.stream)); },
                [&](int c) {
                    size_t bytes = kTempBytes;
                    CHECK(cub::DeviceReduce::Max(d.temp, bytes, data + p.first(c), outs + c, n, d.stream));
                },
                nullptr, nullptr);  // 答えは tests/device/reduce.cu が確かめる
            each(
                "argmax",
                [&](int c) { CHECK(reduce::argmax(work->data, workBytes, data + p.first(c), found + c, n, d.stream)); },
                [&](int c) {
                    size_t bytes = kTempBytes;
                    CHECK(cub::DeviceReduce::ArgMax(d.temp, bytes, data + p.first(c), outs + c, places + c,
                                                    (long long)n, d.stream));
                },
                nullptr, nullptr);  // 答えは tests/device/reduce.cu が確かめる
        }
    }
}

struct Begin {  // 行 k の始まり
    long long columns;
    __host__ __device__ long long operator()(long long k) const { return k * columns; }
};
void matrices() {
    std::vector<Shape> all = shapes();
    for (const Shape& s : {Shape{33, 2000003}, {7, 9999999}, {128, 8192}, {300, 300}, {133, 500000}}) all.push_back(s);
    Bench b(all);
    Device& d = b.d;
    for (const bool byRow : {true, false})
        for (const Shape& s : all) {
            const Plan p(d, s.n(), sizeof(float));
            const size_t count = byRow ? s.rows : s.columns;
            std::function<void(int)> cub;
            if (byRow)
                cub = [&](int c) {
                    size_t bytes = kTempBytes;
                    const auto begins =
                        thrust::make_transform_iterator(thrust::make_counting_iterator(0LL), Begin{s.columns});
                    CHECK(cub::DeviceSegmentedReduce::Sum(d.temp, bytes, b.in(p, c), b.out(c, count), s.rows, begins,
                                                          begins + 1, d.stream));
                };
            record(
                d, p.calls, byRow ? "row" : "column", s.rows, s.columns, "float",
                (double(s.n()) + count) * sizeof(float),
                [&](int c) {
                    const auto sum =
                        byRow ? reduce::sumRows<void, float, float*> : reduce::sumColumns<void, float, float*>;
                    CHECK(sum(work->data, workBytes, b.in(p, c), b.out(c, count), s.rows, s.columns, s.columns,
                              d.stream));
                },
                cub, nullptr, [&] { return b.allAgree(p, s, byRow); });
        }
}

int main() {
    CHECK(reduce::argmaxColumns(nullptr, workBytes, (const double*)nullptr, (reduce::Found<double>*)nullptr, 1, 1, 1));
    size_t bytes = 0;
    CHECK(reduce::sumColumns(nullptr, bytes, (const __half*)nullptr, (float*)nullptr, 1, 1, 1));
    workBytes = std::max(workBytes, bytes);
    book::Array<char> room(workBytes);
    work = &room;
    CHECK(reduce::prepare(room.data, workBytes));
    {
        Device d((size_t(1) << 32) * 8 + kColdBytes, false);
        arrays<int>(d, "int");
        arrays<long long>(d, "int64");
        arrays<float>(d, "float");
        arrays<double>(d, "double");
        arrays<__half>(d, "half");
    }
    matrices();
}
