// ホストのコードが、__constant__ 変数に直接書く
// 期待: ホストのコードが、デバイスの変数 scale を書いた
// 期待: cudaMemcpyToSymbol
// 終了コード: 1
#include "book.cuh"

__constant__ float scale;

__global__ void kernel(float* x) { x[threadIdx.x] = scale; }

int main() {
    float* x;
    CHECK(cudaMalloc(&x, 32 * sizeof(float)));
    scale = 2;  // ここ
    kernel<<<1, 32>>>(x);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    return 0;
}
