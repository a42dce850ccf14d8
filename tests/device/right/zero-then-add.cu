// 0 にするカーネルと足すカーネルを分ける
#include "book.cuh"

__global__ void zero(int* out) { *out = 0; }
__global__ void add(int* x, int* out) { atomicAdd(out, x[blockIdx.x * blockDim.x + threadIdx.x]); }

int main() {
    int* out;
    int* x;
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    zero<<<1, 1>>>(out);
    CHECK(cudaGetLastError());
    add<<<4, 64>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    CHECK(cudaFree(x));
    return 0;
}
