// __syncthreads_count() もバリアである
#include "book.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem[64];
    smem[threadIdx.x] = int(threadIdx.x);
    int odd = __syncthreads_count(threadIdx.x % 2);
    out[threadIdx.x] = odd + smem[63 - threadIdx.x];
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<1, 64>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
