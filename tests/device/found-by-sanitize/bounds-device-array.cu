// __device__ の配列の外に書く
// 期待: 配列の外の添字を使った: int [32] の 32 番
// 終了コード: 1
#include "book.cuh"

__device__ int histogram[32];

__global__ void kernel(const int* x, int* out) {
    const int bin = x[threadIdx.x] + int(threadIdx.x);
    histogram[bin] = 1;  // ここ
    out[threadIdx.x] = bin;
}

int main() {
    const int n = 64;
    int *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemset(x, 0, n * sizeof(int)));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    kernel<<<1, 64>>>(x, out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
