// 実行時に決まる長さの memcpy が、配列の終わりを越える
// 期待: 配列の外を書いた
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* x, int* out, int n) {
    memcpy(out + 4096 - n + 1, x, n * sizeof(int));  // ここ
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<1, 1>>>(x, out, 5);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
