// 添字の計算が int の桁をあふれる
// 期待: デバイスのメモリでない所を読んだ
// 期待: 添字が桁あふれしたか
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* x, float* out, unsigned rows, unsigned width) {
    const int i = int((rows - 1) * width + threadIdx.x);
    out[threadIdx.x] = x[1000LL * i];  // ここ
}

int main() {
    const int n = 64;
    float *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemset(x, 0, n * sizeof(float)));
    CHECK(cudaMemset(out, 0, n * sizeof(float)));
    kernel<<<1, 32>>>(x, out, 1 << 16, (1 << 15) + 1);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
