// __constant__ の配列の外を読む
// 期待: 配列の外の添字を使った: float [8] の 8 番
// 終了コード: 1
#include "book.cuh"

__constant__ float weight[8];

__global__ void kernel(const float* x, float* out, int n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += weight[k] * x[k];  // ここ
    *out = sum;
}

int main() {
    const int n = 64;
    float *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemset(x, 0, n * sizeof(float)));
    CHECK(cudaMemset(out, 0, n * sizeof(float)));
    kernel<<<1, 1>>>(x, out, 9);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
