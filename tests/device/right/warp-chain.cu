// 0 番から 1 番、1 番から 2 番へと、別々の同期で順に渡す
#include "book.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem;
    unsigned lane = threadIdx.x;
    if (lane == 0) smem = 1;
    if (lane < 2) __syncwarp(0x3);
    if (lane == 1 || lane == 2) __syncwarp(0x6);
    if (lane == 2) *out = smem;
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<1, 32>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
