// 1 人目の読んだ人の後に、書く人のブロックも読む
// 期待: データ競合: グローバルメモリ x[0]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* x, int* out) {
    out[blockIdx.x] = *x;  // ここ
    __syncthreads();
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) *x = 1;  // ここ
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<8, 1>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
