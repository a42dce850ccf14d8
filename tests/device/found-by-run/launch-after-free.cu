// 解放した領域をカーネルに渡す
// 期待: カーネル kernel の 1 番目の引数は、すでに解放した領域 x である
#include "book.cuh"

__global__ void kernel(int* x) { x[threadIdx.x] = 1; }

int main() {
    int* x;
    CHECK(cudaMalloc(&x, 32 * sizeof(int)));
    CHECK(cudaFree(x));  // ここ
    kernel<<<1, 32>>>(x);  // ここ
    CHECK(cudaDeviceSynchronize());
}
