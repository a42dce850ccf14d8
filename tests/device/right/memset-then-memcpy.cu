// カーネルの中で memset し、memcpy する (長さは実行時に決まる)
#include "book.cuh"

__global__ void kernel(unsigned char* b, unsigned char* c, int n) {
    unsigned char* mine = b + threadIdx.x * 8;
    memset(mine, int(threadIdx.x), n);
    memcpy(c + threadIdx.x * 8, mine, n);
}

int main() {
    unsigned char* b;
    unsigned char* c;
    CHECK(cudaMalloc(&b, 4096 * sizeof(unsigned char)));
    CHECK(cudaMemset(b, 0, 4096 * sizeof(unsigned char)));
    CHECK(cudaMalloc(&c, 4096 * sizeof(unsigned char)));
    CHECK(cudaMemset(c, 0, 4096 * sizeof(unsigned char)));
    kernel<<<1, 64>>>(b, c, 5);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    return 0;
}
