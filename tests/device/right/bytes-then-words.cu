// 1 バイトずつ書き、バリアの後で 4 バイトずつ読む
#include "book.cuh"

__global__ void kernel(unsigned char* b, unsigned* u) {
    b[blockIdx.x * 256 + threadIdx.x] = (unsigned char)threadIdx.x;
    __syncthreads();
    if (threadIdx.x < 64) u[blockIdx.x * 64 + threadIdx.x] = ((unsigned*)b)[blockIdx.x * 64 + threadIdx.x];
}

int main() {
    unsigned char* b;
    unsigned* u;
    CHECK(cudaMalloc(&b, 4096 * sizeof(unsigned char)));
    CHECK(cudaMemset(b, 0, 4096 * sizeof(unsigned char)));
    CHECK(cudaMalloc(&u, 4096 * sizeof(unsigned)));
    CHECK(cudaMemset(u, 0, 4096 * sizeof(unsigned)));
    kernel<<<2, 256>>>(b, u);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(b));
    CHECK(cudaFree(u));
    return 0;
}
