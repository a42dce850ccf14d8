// 5.13 いつも同じ、正しい総和: 仮数を、指数ごとの整数の箱に足す
// 5.3 から 5.9 までの float の足し算を、整数の足し算に替えた。整数は丸めないので、どの順に足しても同じになる
// 測定: なし
#include "../reduce/exact.cuh"
#include "exact.cuh"

using Digits = reduce::Digits<1, 16, 150>;

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");
constexpr long long kMost = 1 << 23;  // 1 ブロックが足す個数の最大。箱の値は 2^39 × 2^23 = 2^62 を超えない

// --8<-- [start:kernel]
// in の n 個の正確な合計を丸めて、out に書く。words は 0 にしておく
__global__ void exactSum(const float* in, float* out, unsigned long long* words, long long n) {
    __shared__ unsigned long long bins[32];
    if (threadIdx.x < 32) bins[threadIdx.x] = 0;
    __syncthreads();
    const long long grid = (long long)gridDim.x * kBlock;
    for (long long i = (long long)blockIdx.x * kBlock + threadIdx.x; i < n; i += grid) {
        const unsigned b = __float_as_uint(in[i]), e = b >> 23 & 255, fraction = b & 0x7fffff;
        if (e == 255) {
            atomicOr(&bins[Digits::kOdd], fraction ? 3 : int(b) < 0 ? 2 : 1);
            continue;
        }
        // --8<-- [start:answer] 仮数を、箱の中の位置にずらし、符号を付けて、箱 e / 16 に足す (3 行)
        long long m = e == 0 ? fraction << 1 : fraction | 1 << 23;  // 非正規化数 (e = 0) は、隠れた 1 を持たない
        m <<= e % 16;
        atomicAdd(&bins[e / 16], int(b) < 0 ? -m : m);
        // --8<-- [end:answer]
    }
    __syncthreads();
    if (threadIdx.x >= 32) return;
    Digits total;
    total.d[0] = bins[threadIdx.x];
    total.carry();  // ほかのブロックの分を足してもあふれないように、小さくしておく
    total.finish(words, out);
}
// --8<-- [end:kernel]

// --8<-- [start:host]
float sum(const float* x, long long n, int blocks) {
    if (!blocks) blocks = int(std::min<long long>(n / kBlock + 1, 1024));
    blocks = std::max(blocks, int((n - 1) / kMost + 1));
    book::Array<float> x_dev(x, n), out_dev(1);
    book::Array<unsigned long long> words(Digits::kWords);
    CHECK(cudaMemset(words, 0, Digits::kWords * sizeof(*words)));

    book::timerStart();
    exactSum<<<blocks, kBlock>>>(x_dev, out_dev, words, n);
    CHECK(cudaGetLastError());
    book::timerStop();
    return out_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return exact::run(argc, argv, __FILE__, sum); }
