// 4-compare の道具。GPU だけで動く: 入力、正確な合計、冷たい L2、CUDA グラフの再生、報告
#pragma once
#include "harness.h"
#include "workspace.cuh"

#include <cuda_fp16.h>

namespace compare {

constexpr size_t kColdBytes = size_t(2) << 30;  // 再生 1 回で読む別々の場所。L2 よりずっと大きい
constexpr size_t kGapBytes = 64 << 10;          // 別々の場所は、少なくともこれだけ離す
constexpr size_t kTempBytes = 16 << 20;         // CUB の作業領域。足りなければ CUB がエラーを返す
constexpr int kMaxCalls = 64, kMinCalls = 4;    // 再生 1 回の呼び出しの数

// ---------------------------------------------------------------- 入力と正確な合計
// i 番目の要素の元になる整数。浮動小数点数は、その型で正確に表せる [0, 1) の数にする
template <class In> __host__ __device__ constexpr double scale() {
    return std::is_integral_v<In> ? 1 : sizeof(In) == 2 ? 0x1p-11 : 0x1p-24;
}
template <class In> __host__ __device__ uint64_t raw(uint64_t i) {
    i = (i + 1) * 0x9E3779B97F4A7C15u;
    i = (i ^ i >> 30) * 0xBF58476D1CE4E5B9u;
    i ^= i >> 27;
    return std::is_integral_v<In> ? i : sizeof(In) == 2 ? i >> 53 : i >> 40;
}
template <class In> __global__ void fill(In* out, size_t n, size_t first = 0) {  // 入力の first 番目から
    const size_t grid = size_t(gridDim.x) * blockDim.x;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += grid) {
        if constexpr (std::is_integral_v<In>) out[i] = In(raw<In>(first + i));
        else out[i] = In(float(raw<In>(first + i)) * float(scale<In>()));
    }
}
// first 番目から n 個の合計。配列を読まず、整数で足すので、比べる相手と同じ誤りをしない
template <class In> __global__ void sumExact(size_t first, size_t n, unsigned long long* out) {
    unsigned long long v = 0;
    const size_t grid = size_t(gridDim.x) * blockDim.x;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += grid) v += raw<In>(first + i);
    atomicAdd(out, v);
}

// ---------------------------------------------------------------- 装置
struct Device {
    bool hot;  // 同じ場所をくり返し足し、L2 に残ったまま測る
    int sms;
    book::Array<char> temp{kTempBytes}, outs{kMaxCalls * 8};  // 呼び出しごとに別の場所に書き、全部を確かめる
    Workspace work;
    size_t dataBytes;
    book::Array<char> data;
    cudaStream_t stream;
    cudaEvent_t start, stop;

    Device(size_t wanted, bool hot) : hot(hot), dataBytes(std::min(wanted, room())), data(dataBytes) {
        CHECK(cudaStreamCreate(&stream));
        CHECK(cudaEventCreate(&start));
        CHECK(cudaEventCreate(&stop));
        CHECK(reduce::smCount(sms));
    }
    ~Device() {
        CHECK(cudaEventDestroy(start));
        CHECK(cudaEventDestroy(stop));
        CHECK(cudaStreamDestroy(stream));
    }
    static size_t room() {
        size_t free, total;
        CHECK(cudaMemGetInfo(&free, &total));
        return free / 10 * 9 / kGapBytes * kGapBytes;  // 画面などの分を残す
    }
    template <class In> In* as(const book::Array<char>& a) const { return reinterpret_cast<In*>(a.data); }
    void coolDown() {
        if (!hot) book::coolDown(stream);
    }
};

// ---------------------------------------------------------------- 再生
// 再生 1 回で、calls 回を、count 個の別々の場所から順に足す。hot なら、場所は 1 つしかない
struct Plan {
    size_t n, elementBytes, stride;
    int count, calls;
    Plan(const Device& d, size_t n, size_t elementBytes) : n(n), elementBytes(elementBytes) {
        stride = (n * elementBytes + kGapBytes - 1) / kGapBytes * kGapBytes;
        count = int(std::clamp<size_t>(std::min(d.dataBytes, kColdBytes) / stride, 1, kMaxCalls));
        calls = std::max(count, kMinCalls);
        if (d.hot) count = 1;
    }
    size_t first(int call) const { return stride * size_t(call % count) / elementBytes; }  // 何番目の要素からか
};

// 測った時間の、中央値と範囲 (JSON)
inline std::string json(const std::vector<double>& us, const std::string& whose = "") {
    const auto [low, high] = std::minmax_element(us.begin(), us.end());
    const char* of = whose.c_str();
    return book::format("\"%sus\": %.6g, \"%sus_min\": %.6g, \"%sus_max\": %.6g", of, book::median(us), of, *low, of,
                        *high);
}

struct Side {  // 比べるものの 1 つ
    Device& d;
    int calls;
    cudaGraphExec_t exec;
    std::vector<double> us;  // 1 回の呼び出しあたり
    bool agree = true;
    Side(Device& d, int calls, const std::function<void(int)>& call) : d(d), calls(calls) {
        cudaGraph_t graph;
        CHECK(cudaStreamBeginCapture(d.stream, cudaStreamCaptureModeGlobal));
        for (int c = 0; c < calls; c++) call(c);  // 記録するだけで、まだ動かない
        CHECK(cudaStreamEndCapture(d.stream, &graph));
        CHECK(cudaGraphInstantiate(&exec, graph, 0));
        CHECK(cudaGraphDestroy(graph));
    }
    Side(const Side&) = delete;
    ~Side() { CHECK(cudaGraphExecDestroy(exec)); }
    void sample() {
        d.coolDown();
        CHECK(cudaEventRecord(d.start, d.stream));
        CHECK(cudaGraphLaunch(exec, d.stream));
        CHECK(cudaEventRecord(d.stop, d.stream));
        CHECK(cudaStreamSynchronize(d.stream));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, d.start, d.stop));
        us.push_back(ms * 1e3 / calls);
    }
    double median() const { return book::median(us); }
};

// --8<-- [start:turns]
// 代わる代わる、repeat 回ずつ測る。measured(side, k) は、k 回目の答えが正しいかを返す
template <class Measured> void takeTurns(std::vector<Side*> sides, int repeat, Measured measured) {
    for (int k = 0; k <= repeat; k++) {
        for (Side* side : sides) {
            side->sample();
            side->agree &= measured(*side, k);
            if (k == 0) side->us.clear();  // 1 回目は準備を含む
        }
        std::reverse(sides.begin(), sides.end());  // 1 回ごとに、測る順番を逆にする
    }
}
// --8<-- [end:turns]

// ---------------------------------------------------------------- 判定
// 再生 1 回の、場所ごとの正確な合計
template <class In> std::vector<unsigned long long> exactSums(Device& d, const Plan& p) {
    std::vector<unsigned long long> sums(p.count);
    book::Array<unsigned long long> sums_dev(p.count);
    CHECK(cudaMemsetAsync(sums_dev, 0, p.count * 8, d.stream));
    for (int k = 0; k < p.count; k++) sumExact<In><<<d.sms * 4, 512, 0, d.stream>>>(p.first(k), p.n, sums_dev + k);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(d.stream));
    sums_dev.copyTo(sums.data(), p.count);
    return sums;
}
// 整数は折り返した値と同じ。浮動小数点数は、木の 2 倍の深さまで許す (スレッドの中は順に足すので、木より深い)
template <class In> bool agrees(reduce::Wide<In> v, unsigned long long exact, size_t n) {
    if constexpr (std::is_integral_v<In>) return v == In(exact);
    const double sum = double(exact) * scale<In>();
    return std::fabs(double(v) - sum) <=
           book::tolerance<reduce::Wide<In>>(2 * book::tree(double(n)), sum, book::Input::uniform);
}
template <class In> bool allAgree(Device& d, const Plan& p, const std::vector<unsigned long long>& exact) {
    std::vector<reduce::Wide<In>> v(p.calls);
    CHECK(cudaMemcpy(v.data(), d.outs, p.calls * sizeof(reduce::Wide<In>), cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(d.outs, 0xff, p.calls * sizeof(reduce::Wide<In>)));  // 前の回の結果を残さない
    for (int c = 0; c < p.calls; c++)
        if (!agrees<In>(v[c], exact[c % p.count], p.n)) return false;
    return true;
}

// ---------------------------------------------------------------- 報告
inline std::string versionName(int cub) {  // 300001 なら 3.0.1
    return book::format("%d.%d.%d", cub / 100000, cub / 100 % 1000, cub % 100);
}

}  // namespace compare
