// 共有メモリの float に、atomicCAS の繰り返しで足す
#include "book.cuh"

__global__ void kernel(float* f) {
    __shared__ unsigned sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    unsigned old = sum, assumed;
    do {
        assumed = old;
        old = atomicCAS(&sum, assumed, __float_as_uint(__uint_as_float(assumed) + 1.0f));
    } while (assumed != old);
    __syncthreads();
    if (threadIdx.x == 0) f[blockIdx.x] = __uint_as_float(sum);
}

int main() {
    float* f;
    CHECK(cudaMalloc(&f, 4096 * sizeof(float)));
    CHECK(cudaMemset(f, 0, 4096 * sizeof(float)));
    kernel<<<2, 64>>>(f);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(f));
    return 0;
}
