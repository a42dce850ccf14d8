// ブロックごとの場所に、ブロックの中だけのアトミック演算で足す
#include "book.cuh"

__global__ void kernel(int* x, int* out) {
    atomicAdd_block(&x[blockIdx.x], 1);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = x[blockIdx.x];
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<4, 64>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
