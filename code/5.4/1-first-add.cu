// 5.4 First add during load: 読むときに 1 回足す
// 1 スレッドが 2 個を読み、足してから smem に置く。グリッドは半分になり、ループは 5.3 の sequential と同じ
#include "book.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下の 2 のべき乗
static_assert((kBlock & (kBlock - 1)) == 0, "BLOCK は 2 のべき乗");

// --8<-- [start:kernel]
// in の n 個をブロックごとに合計し、ブロック b の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[kBlock];  // ブロックに 1 つ。ブロックの全員が読み書きする
    int tid = threadIdx.x;
    // --8<-- [start:answer] 離れた 2 個を読み、足してから置く (4 行)
    int i = blockIdx.x * (2 * blockDim.x) + tid;  // 1 ブロックが 2 * blockDim.x 個を受け持つ
    float first = i < n ? in[i] : 0;
    float second = i < n - kBlock ? in[i + kBlock] : 0;  // i + kBlock < n と同じ
    smem[tid] = first + second;
    // --8<-- [end:answer]
    __syncthreads();

    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) smem[tid] += smem[tid + stride];
        __syncthreads();  // 次の段が読む前に、全員の書き込みを待つ
    }
    if (tid == 0) out[blockIdx.x] = smem[0];
}
// --8<-- [end:kernel]

// --8<-- [start:host]
float sum(const float* x, int n) {
    if (n == 0) return 0;
    book::Array<float> x_dev(x, n), part_dev((n - 1) / (2 * kBlock) + 1);  // 部分和は 1 ブロックに 1 個

    book::timerStart();
    for (int len = n; len > 1;) {
        int blocks = (len - 1) / (2 * kBlock) + 1;  // len / (2 * kBlock) の切り上げ
        sumBlocks<<<blocks, kBlock>>>(x_dev, part_dev, len);
        CHECK(cudaGetLastError());
        std::swap(x_dev.data, part_dev.data);
        len = blocks;  // 部分和の配列を、同じカーネルでまた合計する
    }
    book::timerStop();
    return x_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
