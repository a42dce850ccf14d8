// 行の幅を間違え、配列の大きさの 2 倍近く先を読む
// 期待: 配列の外を読んだ
// 期待: x[1024]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* x, float* out, int width) {
    out[threadIdx.y * 32 + threadIdx.x] = x[threadIdx.y * width + threadIdx.x];  // ここ
}

int main() {
    const int n = 1024;
    float *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemset(x, 0, n * sizeof(float)));
    CHECK(cudaMemset(out, 0, n * sizeof(float)));
    kernel<<<1, dim3(32, 16)>>>(x, out, 128);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
