// カーネルが、ホストの変数を読む
// 期待: デバイスのメモリでない所を読んだ
// 期待: ホストの変数である
// 終了コード: 1
#include "book.cuh"

int scale = 3;

__global__ void kernel(int* x) { x[threadIdx.x] = scale; }  // ここ

int main() {
    int* x;
    CHECK(cudaMalloc(&x, 32 * sizeof(int)));
    kernel<<<1, 32>>>(x);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    return 0;
}
