// 行の長さより長く memcpy し、隣の人の行にかかる
// 期待: データ競合: グローバルメモリ out[
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* x, int* out, int n) {
    memcpy(out + threadIdx.x * 4, x, n * sizeof(int));  // ここ
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<1, 64>>>(x, out, 5);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
