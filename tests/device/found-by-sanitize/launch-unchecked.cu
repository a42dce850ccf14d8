// 起動の失敗を確かめずに、結果を使う
// 期待: を起動できない
// 期待: 誤りを 1 個見つけた
#include "book.cuh"

__global__ void kernel(int* x) { x[threadIdx.x] = 1; }

int main() {
    int* x;
    cudaMalloc(&x, 2048 * sizeof(int));
    cudaMemset(x, 0, 2048 * sizeof(int));
    kernel<<<1, 2048>>>(x);  // ここ
    cudaDeviceSynchronize();
    cudaFree(x);
}
