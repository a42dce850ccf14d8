// 1 バイトずれた int を読む
// 期待: 番地が 4 の倍数ではない
// 期待: グローバルメモリ x[0]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const int* x, int* out) {
    const int* p = reinterpret_cast<const int*>(reinterpret_cast<const char*>(x) + 1);
    out[threadIdx.x] = p[threadIdx.x];  // ここ
}

int main() {
    const int n = 64;
    int *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemset(x, 0, n * sizeof(int)));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    kernel<<<1, 32>>>(x, out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
