// ホストのコードが、__device__ 変数を直接読む
// 期待: ホストのコードが、デバイスの変数 total を読んだ
// 期待: cudaMemcpyFromSymbol
#include "book.cuh"

__device__ int total;

__global__ void kernel() { atomicAdd(&total, 1); }

int main() {
    kernel<<<1, 32>>>();
    CHECK(cudaDeviceSynchronize());
    const int sum = total;  // ここ
    printf("%d\n", sum);
}
