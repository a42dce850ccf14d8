// 全ブロックが同じ所を読み、次のカーネルが書く
#include "book.cuh"

__global__ void kernel(int* x, int* out) {
    int v = 0;
    for (int k = 0; k < 16; k++) v += x[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
__global__ void next(int* x) { x[threadIdx.x] = 1; }

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<8, 64>>>(x, out);
    CHECK(cudaGetLastError());
    next<<<1, 64>>>(x);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
