// 全ブロックが __constant__ と __device__ の表を読む
#include "book.cuh"

__constant__ int table[4] = {1, 2, 3, 4};
__device__ unsigned char marks[5];

__global__ void kernel(int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[i % 4] + marks[i % 5];
}
__global__ void mark(int* out) {
    if (threadIdx.x < 5) marks[threadIdx.x] = (unsigned char)out[threadIdx.x];
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<4, 64>>>(out);
    CHECK(cudaGetLastError());
    mark<<<1, 64>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
