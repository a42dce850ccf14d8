// 自分の場所だけに、何度も書いて読む
#include "book.cuh"

__global__ void kernel(volatile int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i;
    out[i] = x[i];
    out[i] += x[i];
    atomicAdd(&out[i], 1);
    out[i] += 1;
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<2, 64>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
