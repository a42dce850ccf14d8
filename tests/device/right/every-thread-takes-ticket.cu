// 1 つのブロックの 256 人が、それぞれフェンスを通って札を取る
#include "book.cuh"

__device__ unsigned ticket;

__global__ void kernel(int* x, int* out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    x[i] = 1;
    __threadfence();
    if (atomicAdd(&ticket, 1u) != n - 1) return;
    __threadfence();
    for (unsigned k = 0; k < n; k++) *out += x[k];
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<4, 256>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
