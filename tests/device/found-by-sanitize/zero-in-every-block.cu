// ブロックごとに 0 にしてから足す: 別のブロックが足したものを消す
// 期待: データ競合: グローバルメモリ out[0]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) *out = 0;  // ここ
    __syncthreads();
    atomicAdd(out, x[i]);
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<4, 64>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
