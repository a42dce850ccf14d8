// memset の範囲が、隣のブロックの受け持ちにかかる
// 期待: データ競合: グローバルメモリ x[
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* x, int* out, int n) {
    if (threadIdx.x == 0) memset(x + blockIdx.x * 4, 0, n * sizeof(int));  // ここ
    __syncthreads();
    out[blockIdx.x] = x[blockIdx.x * 4 + threadIdx.x];
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<4, 1>>>(x, out, 5);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
