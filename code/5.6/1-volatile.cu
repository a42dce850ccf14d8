// 5.6 ワープシャッフル: 最後のワープは待たない (volatile)
// わざと誤り: ワープの 32 レーンがそろって進むと決めつけている。GPU ではたまたま合うことがある
#include "sum-passes.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下の 2 のべき乗
static_assert((kBlock & (kBlock - 1)) == 0, "BLOCK は 2 のべき乗");

// --8<-- [start:kernel]
// in の n 個をブロックごとに合計し、ブロック b の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[kBlock];  // ブロックに 1 つ。ブロックの全員が読み書きする
    int tid = threadIdx.x;
    int i = blockIdx.x * (2 * blockDim.x) + tid;  // 1 ブロックが 2 * blockDim.x 個を受け持つ
    float first = i < n ? in[i] : 0;
    float second = i < n - kBlock ? in[i + kBlock] : 0;  // i + kBlock < n と同じ
    smem[tid] = first + second;
    __syncthreads();

    for (int stride = kBlock / 2; stride > 16; stride /= 2) {
        if (tid < stride) smem[tid] += smem[tid + stride];
        __syncthreads();  // 次の段が読む前に、全員の書き込みを待つ
    }
    volatile float* v = smem;  // 値をレジスタに残さず、毎回 smem を読み書きさせる
    for (int stride = kBlock < 32 ? kBlock / 2 : 16; stride > 0; stride /= 2) {
        if (tid < stride) v[tid] += v[tid + stride];  // バリアがない
    }
    if (tid == 0) out[blockIdx.x] = smem[0];
}
// --8<-- [end:kernel]

float sum(const float* x, int n) { return sumPasses<kBlock>(sumBlocks, x, n); }
int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
