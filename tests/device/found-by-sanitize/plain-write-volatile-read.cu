// 普通に書いたものを、volatile で読む
// 期待: データ競合: グローバルメモリ x[0]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* x, int* out) {
    if (blockIdx.x == 0) *x = 1;  // ここ
    else *out = *(volatile int*)x;  // ここ
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<2, 1>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
