// 5.3 ★★ 剰余を & に替える
// 使わない: %
// 使わない: /
// 使う: &
// 5.3 interleavedの `%` を、`&` に替えよ。割る数がいつも2のべき乗なら、割り算はいらない。
// ヒント: 2のべき乗mで割った余りは、2進数の下の桁である。その桁だけが1の数は、m − 1である。
// 解説: `2 * stride` は2のべき乗なので、`2 * stride - 1` は下の桁だけが1である。
// 解説: `&` の優先順位は `==` より低いので、括弧が要る。
// 解説: GPUに整数の割り算の命令はなく、`%` は何命令にもなる。`&` は1命令で済む。
// 解説: 何倍速くなるかは、本文の剰余の実験にある。
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。2 以上 1024 以下の 2 のべき乗
static_assert(kBlock >= 2 && (kBlock & (kBlock - 1)) == 0, "BLOCK は 2 以上の 2 のべき乗");

// --8<-- [start:kernel]
// in の n 個をブロックごとに合計し、ブロック b の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[kBlock];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    smem[tid] = i < n ? in[i] : 0;
    __syncthreads();

    for (int stride = 1; stride < int(blockDim.x); stride *= 2) {
        // --8<-- [start:answer] % の代わりに & で、同じスレッドを選ぶ
        //- if (tid % (2 * stride) == 0) smem[tid] += smem[tid + stride];
        if ((tid & (2 * stride - 1)) == 0) smem[tid] += smem[tid + stride];
        // --8<-- [end:answer]
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = smem[0];
}
// --8<-- [end:kernel]

// 1 個になるまで畳む
void total(const float* x_dev, int n, float* out_dev) {
    book::reduceToOne(x_dev, n, out_dev, kBlock, [](const float* in, float* out, int len, int blocks) {
        sumBlocks<<<blocks, kBlock>>>(in, out, len);
    });
}

// 答え合わせ: CPU の合計と、got が違うときの手がかり
book::Expected<float> expect(const float* x, int n, float got) {
    return book::expectSum(x, n, got, "働くスレッドの選び方が、% のときと違う");
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, total, expect, {"small"}); }
