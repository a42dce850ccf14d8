// grid.sync() を使わない協調起動: 共有メモリはブロックごとに別である
#include "book.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem[64];
    smem[threadIdx.x] = int(threadIdx.x);
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = smem[63 - threadIdx.x];
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    void* args[] = {&out};
    CHECK(cudaLaunchCooperativeKernel(kernel, 4, 64, args));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
