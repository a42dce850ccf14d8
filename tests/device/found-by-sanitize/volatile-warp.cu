// volatile だけで、ワープの中で受け渡す
// 期待: データ競合: 共有メモリ smem[
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* out) {
    __shared__ volatile int smem[64];
    smem[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 32) smem[threadIdx.x] = smem[threadIdx.x] + smem[threadIdx.x + 16];  // ここ
    __syncthreads();
    out[threadIdx.x] = smem[threadIdx.x];
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<1, 64>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
