// 共有メモリに 1 バイトずつ書き、4 バイトずつ読み、また 1 バイトずつ書く
#include "book.cuh"

__global__ void kernel(unsigned* u) {
    __shared__ __align__(16) unsigned char smem[256];
    for (int k = 0; k < 2; k++) {
        smem[threadIdx.x] = (unsigned char)threadIdx.x;
        __syncthreads();
        if (threadIdx.x < 64) u[blockIdx.x * 64 + threadIdx.x] = ((unsigned*)smem)[threadIdx.x];
        __syncthreads();
    }
}

int main() {
    unsigned* u;
    CHECK(cudaMalloc(&u, 4096 * sizeof(unsigned)));
    CHECK(cudaMemset(u, 0, 4096 * sizeof(unsigned)));
    kernel<<<3, 256>>>(u);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(u));
    return 0;
}
