// 半分ずつのワープの同期の後、全員でそろう
#include "book.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem[32];
    unsigned lane = threadIdx.x, half = lane / 16;
    smem[lane] = int(lane);
    __syncwarp(0xffffu << 16 * half);
    int v = smem[lane ^ 1];
    __syncwarp();
    out[lane] = v + smem[lane ^ 16];
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
