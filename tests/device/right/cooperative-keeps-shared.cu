// 共有メモリは、grid.sync() の前に書いたものが後でも読める
#include <cooperative_groups.h>

#include "book.cuh"

__global__ void kernel(int* x, int* out) {
    __shared__ int smem[64];
    smem[threadIdx.x] = int(threadIdx.x);
    x[blockIdx.x * 64 + threadIdx.x] = 1;
    cooperative_groups::this_grid().sync();
    out[blockIdx.x * 64 + threadIdx.x] = smem[63 - threadIdx.x] + x[(3 - blockIdx.x) * 64 + threadIdx.x];
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    void* args[] = {&x, &out};
    CHECK(cudaLaunchCooperativeKernel(kernel, 4, 64, args));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
