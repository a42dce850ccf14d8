// 幅が半分になっていくワープの和。読み、そろい、書き、そろう
#include "book.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem[64];
    unsigned lane = threadIdx.x % 32, base = threadIdx.x / 32 * 32;
    smem[threadIdx.x] = 1;
    __syncwarp();
    for (unsigned d = 16; d > 0; d /= 2) {
        int v = smem[base + (lane + d) % 32];
        __syncwarp();
        smem[threadIdx.x] += v;
        __syncwarp();
    }
    out[blockIdx.x * 64 + threadIdx.x] = smem[threadIdx.x];
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<2, 64>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
