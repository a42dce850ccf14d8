// 範囲の外の人は先に帰り、残りはワープだけで渡す
#include "book.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem[64];
    if (threadIdx.x >= 40) return;
    unsigned mask = threadIdx.x < 32 ? ~0u : 0xffu;
    smem[threadIdx.x] = 1;
    __syncwarp(mask);
    out[threadIdx.x] = smem[threadIdx.x ^ 1];
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
