// 別のブロックの 2 つの書き込みを、普通に読む
// 期待: データ競合: グローバルメモリ x[
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* x, int* out) {
    int b = int(blockIdx.x);
    if (b < 2) x[b] = 1;  // ここ
    else out[b] = x[b - 2];  // ここ
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<4, 1>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
