// 奇数番目の int から long long を読む
// 期待: 番地が 8 の倍数ではない
// 期待: x[1]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const int* x, int* out) {
    const long long v = *reinterpret_cast<const long long*>(x + 2 * threadIdx.x + 1);  // ここ
    out[threadIdx.x] = int(v);
}

int main() {
    const int n = 128;
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
