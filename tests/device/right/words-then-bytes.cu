// 4 バイトで書いた人の次に、別の人が 1 バイトずつ書く
#include "book.cuh"

__global__ void kernel(unsigned* u, unsigned char* b) {
    if (threadIdx.x < 64) u[threadIdx.x] = 0;
    __syncthreads();
    ((unsigned char*)u)[threadIdx.x] = 1;
    __syncthreads();
    b[threadIdx.x] = ((unsigned char*)u)[255 - threadIdx.x];
}

int main() {
    unsigned* u;
    unsigned char* b;
    CHECK(cudaMalloc(&u, 4096 * sizeof(unsigned)));
    CHECK(cudaMemset(u, 0, 4096 * sizeof(unsigned)));
    CHECK(cudaMalloc(&b, 4096 * sizeof(unsigned char)));
    CHECK(cudaMemset(b, 0, 4096 * sizeof(unsigned char)));
    kernel<<<1, 256>>>(u, b);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(u));
    CHECK(cudaFree(b));
    return 0;
}
