// 隣のバイトに、別のブロックが書く
#include "book.cuh"

__global__ void kernel(unsigned char* b) { b[threadIdx.x * gridDim.x + blockIdx.x] = 1; }

int main() {
    unsigned char* b;
    CHECK(cudaMalloc(&b, 4096 * sizeof(unsigned char)));
    CHECK(cudaMemset(b, 0, 4096 * sizeof(unsigned char)));
    kernel<<<4, 64>>>(b);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(b));
    return 0;
}
