// カーネルの中の memcpy が、配列の終わりを越える
// 期待: 配列の外を読んだ
// 期待: x[64]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const int* x, int* out, int n) {
    memcpy(out, x, n * sizeof(int));  // ここ
}

int main() {
    const int n = 64;
    int *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(int)));
    CHECK(cudaMalloc(&out, 2 * n * sizeof(int)));
    CHECK(cudaMemset(x, 0, n * sizeof(int)));
    kernel<<<1, 1>>>(x, out, n + 1);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
