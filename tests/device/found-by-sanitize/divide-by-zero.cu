// 整数を 0 で割った余りを使う
// 期待: 整数を 0 で割った
// 期待: ブロック 0 のスレッド 5
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const int* x, int* out, int k) {
    const int parts = x[threadIdx.x] + k - int(threadIdx.x);
    out[threadIdx.x] = 100 % parts;  // ここ
}

int main() {
    const int n = 64;
    int *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemset(x, 0, n * sizeof(int)));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    kernel<<<1, 32>>>(x, out, 5);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
