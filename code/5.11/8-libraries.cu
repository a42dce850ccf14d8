// 5.11 行と列の合計: ライブラリと、形ごとに比べる
// 5.9 の 4-compare と同じに測る。CUB には列ごとの合計がないので、列ではこの本の時間だけを測る
// 必要: GPU
// 測定: なし
#include "book.cuh"

#ifdef CPU_DEVICE
int main() { return book::gpuOnly("CUB"); }
#else
#include "libraries.cuh"

#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

using namespace libraries;

struct Begin {  // 行 k の始まり
    long long columns;
    __host__ __device__ long long operator()(long long k) const { return k * columns; }
};
// 呼び方は 2 つある。行ごとに境目を渡すものと、どの行も同じ長さのもの。後のものは、CUB 3.5 にはあり、3.0 にはない
constexpr bool kHasFixed = CUB_VERSION >= 300500;
template <bool kFixed> void sumCub(Device& d, const float* in, const Shape& s, float* out) {
    size_t bytes = kTempBytes;
    if constexpr (kFixed && kHasFixed)
        CHECK(cub::DeviceSegmentedReduce::Sum(d.temp, bytes, in, out, (long long)s.rows, int(s.columns), d.stream));
    else {
        const auto begins = thrust::make_transform_iterator(thrust::make_counting_iterator(0LL), Begin{s.columns});
        CHECK(cub::DeviceSegmentedReduce::Sum(d.temp, bytes, in, out, s.rows, begins, begins + 1, d.stream));
    }
}

bool compareAt(Bench& b, const book::Options& o, const Shape& s, bool byRow) {
    Device& d = b.d;
    const Plan p(d, s.n(), sizeof(float));
    const size_t count = byRow ? s.rows : s.columns;

    // --8<-- [start:measure]
    Side own(d, p.calls, [&](int c) { b.sum(p, c, s, byRow); });
    Side offsets(d, byRow ? p.calls : 0, [&](int c) { sumCub<false>(d, b.in(p, c), s, b.out(c, count)); });
    Side fixed(d, byRow && kHasFixed ? p.calls : 0, [&](int c) { sumCub<true>(d, b.in(p, c), s, b.out(c, count)); });
    std::vector<Side*> sides = {&own};
    if (byRow) sides.push_back(&offsets);
    if (byRow && kHasFixed) sides.push_back(&fixed);
    takeTurns(sides, o.repeat,
              [&](const Side&, int k) { return (0 < k && k < o.repeat) || b.allAgree(p, s, byRow); });  // 初めと終わり
    // --8<-- [end:measure]
    report(o, b.device, CUB_VERSION, s, byRow,
           {{"", "この本", own}, {"cub_", "CUB", offsets}, {"cub_fixed_", "CUB (同じ長さ)", fixed}});
    return own.agree;
}

int main(int argc, char** argv) {
    book::Options o;
    o.repeat = 11;
    long long rows = 0, columns = 0;
    return book::each(argc, argv, o,
                      {book::integer("--rows 行の数", 1, 1 << 28, &rows),
                       book::integer("--cols 列の数", 1, 1 << 28, &columns), o.repeatOption()},
                      [&] {
                          std::vector<Shape> all = shapes();
                          if (rows && columns) all = {{unsigned(rows), unsigned(columns)}};
                          Bench b(all);
                          if (!o.json)
                              printf("5.11 libraries: 行列の合計の時間 [µs]\n\n装置        : %s\n\n", b.device.c_str());
                          bool agree = true;
                          for (const bool byRow : {true, false})
                              for (const Shape& s : all) agree &= compareAt(b, o, s, byRow);
                          return agree ? book::kAgree : book::kDisagree;
                      });
}
#endif
