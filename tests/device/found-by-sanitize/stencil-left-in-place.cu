// その場に書く差分: 左隣のブロックがもう書いた
// 期待: データ競合: グローバルメモリ x[
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int v = x[i] + x[i - 1];  // ここ
    __syncthreads();
    x[i] = v;  // ここ
}

int main() {
    int* x;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    kernel<<<4, 64>>>(x);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    return 0;
}
