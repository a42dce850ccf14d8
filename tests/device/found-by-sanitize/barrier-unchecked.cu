// バリアで分かれたカーネルの失敗を確かめない
// 期待: 別々の __syncthreads() で待っている
// 期待: 誤りを 1 個見つけた
#include "book.cuh"

__global__ void kernel(int* x) {
    if (threadIdx.x < 32) {
        __syncthreads();  // ここ
        x[threadIdx.x] = 1;
    } else {
        __syncthreads();  // ここ
    }
}

int main() {
    int* x;
    cudaMalloc(&x, 64 * sizeof(int));
    kernel<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
