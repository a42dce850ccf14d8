// 5.3 ★★ 合計を最大値に変える: 単位元
// 5.3 sequentialのカーネルを、最大値を求めるものに変えよ。演算だけを変えると、負の値だけの入力で合わない。
// ヒント: 余ったスレッドが置く0は、足しても合計を変えない値である。比べても最大値を変えない値は何か。
// 解説: 畳んでよいのは、結合法則を守り、並べ替えても答えが同じ演算である。
// 解説: max(max(a, b), c) はmax(a, max(b, c)) と、max(a, b) はmax(b, a) と同じである。
// 解説: 端数を埋めるのは **単位元** である。max(a, e) がどのaでもaになるeは、負の無限大である。
// 解説: 0を置くと、負の値だけの入力の答えが0になる。
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。2 以上 1024 以下の 2 のべき乗
static_assert(kBlock >= 2 && (kBlock & (kBlock - 1)) == 0, "BLOCK は 2 以上の 2 のべき乗");

// --8<-- [start:kernel]
// in の n 個のブロックごとの最大値を求め、ブロック b の最大値を out[b] に書く
__global__ void maxBlocks(const float* in, float* out, int n) {
    __shared__ float smem[kBlock];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    // --8<-- [start:answer] 合計を、最大値にする
    //- smem[tid] = i < n ? in[i] : 0;
    //- __syncthreads();
    //-
    //- for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    //-     if (tid < stride) smem[tid] += smem[tid + stride];
    //-     __syncthreads();
    //- }
    smem[tid] = i < n ? in[i] : -INFINITY;
    __syncthreads();

    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) smem[tid] = fmaxf(smem[tid], smem[tid + stride]);
        __syncthreads();
    }
    // --8<-- [end:answer]
    if (tid == 0) out[blockIdx.x] = smem[0];
}
// --8<-- [end:kernel]

// 1 個になるまで畳む
void largest(const float* x_dev, int n, float* out_dev) {
    book::reduceToOne(x_dev, n, out_dev, kBlock, [](const float* in, float* out, int len, int blocks) {
        maxBlocks<<<blocks, kBlock>>>(in, out, len);
    });
}

// 答え合わせ: CPU で求めた最大値と、got が違うときの手がかり
book::Expected<float> expect(const float* x, int n, float got) {
    return book::expectLargest(x, n, got, "その要素が比べられていない",
                               "端数を埋めた値が単位元でないか、足し算が残っている");
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, largest, expect, {"low", "far", "inf"}); }
