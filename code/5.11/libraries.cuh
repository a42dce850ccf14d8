// 8-libraries の道具。GPU だけで動く: 形の一覧、行や列ごとの正確な合計、報告
#pragma once
#include "../5.9/compare.cuh"

namespace libraries {

using namespace compare;

struct Shape {
    unsigned rows, columns;
    size_t n() const { return size_t(rows) * columns; }
};
inline std::vector<Shape> shapes() {
    std::vector<Shape> all = {{33, 2000003}, {7, 9999999}, {128, 8192}, {300, 300}, {133, 500000}};
    for (const int total : {18, 22, 24, 26, 28}) {
        for (int k = 2; k <= total; k += 2) all.push_back({1u << (total - k), 1u << k});
        for (const unsigned c : {3, 31, 33, 100, 1000, 4097}) all.push_back({(1u << total) / c, c});
    }
    return all;
}

// 合計 k は、first + k * apart 番目から step おきの length 個。配列を読まず、整数で足す
__global__ void exactly(size_t first, size_t apart, size_t step, unsigned count, unsigned length, unsigned pieces,
                        unsigned long long* sums) {
    const size_t grid = size_t(gridDim.x) * blockDim.x;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < size_t(count) * pieces; i += grid) {
        const unsigned k = i / pieces;
        unsigned long long v = 0;
        for (unsigned j = i % pieces; j < length; j += pieces) v += raw<float>(first + k * apart + j * step);
        atomicAdd(&sums[k], v);
    }
}
__global__ void countWrong(const float* out, const unsigned long long* sums, unsigned count, double allowed,
                           unsigned* wrong) {
    const size_t grid = size_t(gridDim.x) * blockDim.x;
    for (size_t k = blockIdx.x * size_t(blockDim.x) + threadIdx.x; k < count; k += grid) {
        const double sum = double(sums[k]) * scale<float>();
        if (!(fabs(double(out[k]) - sum) <= allowed * sum)) atomicAdd(wrong, 1);  // NaN は一致しない
    }
}

struct Bench {  // 呼び出しごとに別の場所に書き、全部を確かめる
    Device d{kColdBytes + (size_t(2) << 30), false};
    std::string device = book::deviceName();
    size_t most = 0, widest = 0;  // 1 度の再生の合計の数と、1 つの形の合計の数の、最大
    size_t workBytes = kTempBytes;  // 足りなければ、どちらのライブラリもエラーを返す
    book::Array<char> work{workBytes};
    book::Array<float> outs;
    book::Array<unsigned long long> sums;
    book::Array<unsigned> wrong{1};

    explicit Bench(const std::vector<Shape>& all) : outs(measure(all)), sums(widest) {
        CHECK(reduce::prepare(work.data, workBytes));
        CHECK(cudaMemset(outs, 0xff, most * sizeof(float)));
        fill<<<d.sms * 4, 512, 0, d.stream>>>(d.as<float>(d.data), d.dataBytes / sizeof(float));
        CHECK(cudaGetLastError());
    }
    // 呼び出し c の行列の、行か列ごとの合計
    void sum(const Plan& p, int c, const Shape& s, bool byRow) {
        const auto sums = byRow ? reduce::sumRows<void, float, float*> : reduce::sumColumns<void, float, float*>;
        CHECK(sums(work.data, workBytes, in(p, c), out(c, byRow ? s.rows : s.columns), s.rows, s.columns, s.columns,
                   d.stream));
    }
    size_t measure(const std::vector<Shape>& all) {
        for (const Shape& s : all)
            for (const unsigned count : {s.rows, s.columns}) {
                most = std::max(most, Plan(d, s.n(), sizeof(float)).calls * apart(count));
                widest = std::max(widest, size_t(count));
            }
        return most;
    }
    const float* in(const Plan& p, int call) const { return d.as<float>(d.data) + p.first(call); }
    static size_t apart(size_t count) { return (count + 1023) / 1024 * 1024; }
    float* out(int call, size_t count) const { return outs + call * apart(count); }

    bool allAgree(const Plan& p, const Shape& s, bool byRow) {
        const unsigned count = byRow ? s.rows : s.columns, length = byRow ? s.columns : s.rows;
        const unsigned pieces = std::max(1u, std::min(length, (1u << 20) / count));
        const double allowed = book::tolerance<float>(2 * book::tree(length), 1, book::Input::uniform);
        CHECK(cudaMemsetAsync(wrong, 0, sizeof(unsigned), d.stream));
        for (int c = 0; c < p.calls; c++) {
            CHECK(cudaMemsetAsync(sums, 0, count * sizeof *sums, d.stream));
            exactly<<<d.sms * 8, 256, 0, d.stream>>>(p.first(c), byRow ? s.columns : 1, byRow ? 1 : s.columns, count,
                                                     length, pieces, sums);
            countWrong<<<d.sms * 8, 256, 0, d.stream>>>(out(c, count), sums, count, allowed, wrong);
            CHECK(cudaGetLastError());
        }
        CHECK(cudaMemsetAsync(outs, 0xff, p.calls * apart(count) * sizeof(float), d.stream));  // 前の結果を残さない
        CHECK(cudaStreamSynchronize(d.stream));
        return wrong.first() == 0;
    }
};

struct Time {  // side は測っていないこともある。長い行を順に足すライブラリは、許容を超えることがある
    const char *prefix, *label;
    const Side& side;
};
inline void report(const book::Options& o, const std::string& device, int cubVersion, const Shape& s, bool byRow,
                   const std::vector<Time>& times) {
    const double bytes = (double(s.n()) + (byRow ? s.rows : s.columns)) * sizeof(float);
    const Side& own = times[0].side;
    if (o.json) {
        printf("{\"listing\": \"5.11 libraries\", \"device\": \"%s\", \"cub\": \"%s\", \"each\": \"%s\", ",
               device.c_str(), versionName(cubVersion).c_str(), byRow ? "row" : "column");
        printf("\"rows\": %u, \"columns\": %u, \"bytes\": %.0f, ", s.rows, s.columns, bytes);
        for (const Time& t : times)
            if (!t.side.us.empty())
                printf("%s, \"%sagree\": %s, ", json(t.side.us, t.prefix).c_str(), t.prefix,
                       t.side.agree ? "true" : "false");
        printf("\"calls\": %d, \"repeat\": %d, \"peak_gbs\": %.6g}\n", own.calls, o.repeat, book::peakGBs());
    } else {
        printf("%s %10u 行 %10u 列", byRow ? "行" : "列", s.rows, s.columns);
        for (const Time& t : times)
            if (!t.side.us.empty()) printf("  %s %.2f%s", t.label, t.side.median(), t.side.agree ? "" : " (不一致)");
        printf("  %.1f GB/s\n", bytes / own.median() / 1e3);
    }
    fflush(stdout);
}

}  // namespace libraries
