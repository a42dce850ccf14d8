// 5.13 の、いちばん速い正確な総和。どのスレッドも、自分だけの 16 個の箱を double で持つ。2-columns から先のリストが使う
#pragma once
#include "../5.9/sum.cuh"
#include "digits.cuh"

constexpr int kColumnBlock = 256;  // 1 スレッドの箱は 128 バイトなので、1 ブロックの共有メモリは 32 KiB
constexpr int kValues = kLoads * kVectorBytes / sizeof(float);  // 1 スレッドが、1 タイルから受け取る個数
// 箱には、どんな float でも 4096 個まで足せる。両端の半端は、1 人に多くても 17 個である
constexpr unsigned kTiles = 4096 / kValues - 2;

// --8<-- [start:column]
// 箱 k の初めの値: 1.5 × 2^52 に 2^(16k - 150) を掛けた数。仮数の 1 が位 k の 1 になる。
// 上にも下にも 2^51 個分の余りがある
__device__ double base(int k) { return __longlong_as_double((925LL + 16 * k) << 52 | 1LL << 51); }

// x を、自分の列の箱に足す。base から始まる箱は、仮数の 1 の重さが変わらないので、丸めない
__device__ void put(double* bins, float x) {
    bins[(__float_as_uint(x) >> 27) % 16 * kColumnBlock + threadIdx.x] += double(x);
}
// --8<-- [end:column]

// --8<-- [start:drain]
// ブロックの全員の列を足して、初めの値に戻す。箱 k の合計を、ワープ 0 のレーン k の位 d に加える
__device__ long long drain(double* bins, long long d) {
    __shared__ unsigned long long totals[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (warp == 0) totals[lane] = 0;
    __syncthreads();
    for (int k = warp; k < kBins; k += kColumnBlock / 32) {
        long long v = 0;
        for (int t = lane; t < kColumnBlock; t += 32) {
            double& bin = bins[k * kColumnBlock + t];
            v += __double_as_longlong(bin) - __double_as_longlong(base(k));  // ビットの差が、足した分の整数
            if (!isfinite(bin)) atomicOr(&totals[kOdd], bin > 0 ? 1 : bin < 0 ? 2 : 3);
            bin = base(k);
        }
        v = sumWarp(v);
        if (lane == 0) totals[k] = v;
    }
    __syncthreads();
    return warp == 0 ? carry(lane == kOdd ? d | totals[lane] : d + totals[lane]) : 0;
}
// --8<-- [end:drain]

// --8<-- [start:kernel]
__global__ void __launch_bounds__(kColumnBlock)
    exactSum(const float* __restrict__ in, unsigned head, unsigned tiles, unsigned rest, float* out, Word* words) {
    __shared__ double
        bins[kBins * kColumnBlock];  // スレッド tid の箱 k は bins[k * kColumnBlock + tid]: バンクは競合しない
    const unsigned tid = threadIdx.x;
    const Vector* body = reinterpret_cast<const Vector*>(in + head) + tid;
    Vector q[kLoads];
    const auto load = [&](unsigned t) {
        for (int k = 0; k < kLoads; k++) q[k] = body[size_t(t) * (kColumnBlock * kLoads) + k * kColumnBlock];
    };
    unsigned t = blockIdx.x, left = kTiles;
    if (t < tiles) load(t);  // 届くのを待つ間に、箱を用意する
    for (int k = 0; k < kBins; k++) bins[k * kColumnBlock + tid] = base(k);
    long long d = 0;
    while (t < tiles) {
        float x[kValues];
        memcpy(x, q, sizeof x);
        for (int k = 0; k < kValues; k++) put(bins, x[k]);
        t += gridDim.x;
        if (t < tiles) load(t);
        if (--left == 0) d = drain(bins, d), left = kTiles;  // 箱が溢れる前に、位に移す
    }
    if (t == tiles) {  // 次のタイルに当たるブロックは、両端の半端も足す
        const float* last = in + head + size_t(tiles) * (kColumnBlock * kValues);
        for (unsigned k = tid; k < rest; k += kColumnBlock) put(bins, last[k]);
        if (tid < head) put(bins, in[tid]);
    }
    d = drain(bins, d);
    if (tid < 32) finish(d, words, out);
}
// --8<-- [end:kernel]

// --8<-- [start:launch]
constexpr int kExactPerSm = 4;  // SM に載せるブロックの数

// デバイスの配列 in の n 個の、正確な合計を丸めて *out に書く。words は kWords 語。初めに 1 度だけ 0 にする
inline void exactAsync(const float* in, size_t n, float* out, Word* words, int blocks, cudaStream_t stream) {
    constexpr size_t kTile = size_t(kColumnBlock) * kValues;
    const unsigned head = unsigned(std::min(n, size_t(-reinterpret_cast<uintptr_t>(in) % kVectorBytes / sizeof *in)));
    const unsigned tiles = unsigned((n - head) / kTile), rest = unsigned((n - head) % kTile);
    const unsigned grid = std::max(1u, std::min(tiles, unsigned(blocks)));
    exactSum<<<grid, kColumnBlock, 0, stream>>>(in, head, tiles, rest, out, words);
    CHECK(cudaGetLastError());
}
// --8<-- [end:launch]
