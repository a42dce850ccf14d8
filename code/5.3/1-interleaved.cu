// 5.3 共有メモリを活用した高速化: 隣り合う値から畳む (剰余)
// 途中の結果をグローバルメモリに書かず、ブロックの共有メモリの中で 1 個になるまで畳む
#include "book.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。2 以上 1024 以下の 2 のべき乗 (1 では個数が減らない)
static_assert(kBlock >= 2 && (kBlock & (kBlock - 1)) == 0, "BLOCK は 2 以上の 2 のべき乗");

// --8<-- [start:kernel]
// in の n 個をブロックごとに合計し、ブロック b の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[kBlock];  // ブロックに 1 つ。ブロックの全員が読み書きする
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    smem[tid] = i < n ? in[i] : 0;  // 余ったスレッドも 0 を置き、バリアに加わる
    __syncthreads();                // ほかのスレッドが置いた値を読む前に、全員を待つ

    // --8<-- [start:answer] 隣り合う値から畳む (4 行)
    for (int stride = 1; stride < int(blockDim.x); stride *= 2) {
        if (tid % (2 * stride) == 0) smem[tid] += smem[tid + stride];
        __syncthreads();  // 次の段が読む前に、全員の書き込みを待つ
    }
    // --8<-- [end:answer]
    if (tid == 0) out[blockIdx.x] = smem[0];
}
// --8<-- [end:kernel]

// --8<-- [start:host]
float sum(const float* x, int n) {
    if (n == 0) return 0;
    float* x_dev[2];
    CHECK(cudaMalloc(&x_dev[0], n * sizeof(float)));
    CHECK(cudaMalloc(&x_dev[1], (n + kBlock - 1) / kBlock * sizeof(float)));  // 部分和は 1 ブロックに 1 個
    CHECK(cudaMemcpy(x_dev[0], x, n * sizeof(float), cudaMemcpyHostToDevice));

    book::timerStart();
    int flip = 0;  // 今の配列は x_dev[flip]
    for (int len = n; len > 1;) {
        int blocks = (len + kBlock - 1) / kBlock;
        sumBlocks<<<blocks, kBlock>>>(x_dev[flip], x_dev[!flip], len);
        CHECK(cudaGetLastError());
        flip = !flip;
        len = blocks;  // 部分和の配列を、同じカーネルでまた合計する
    }
    book::timerStop();

    float out;
    CHECK(cudaMemcpy(&out, x_dev[flip], sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_dev[0]));
    CHECK(cudaFree(x_dev[1]));
    return out;
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
