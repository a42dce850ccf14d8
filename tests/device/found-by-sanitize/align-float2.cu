// 奇数番目の float から float2 を読む
// 期待: 番地が 8 の倍数ではない
// 期待: グローバルメモリ x[1]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* x, float* out) {
    const float2 v = reinterpret_cast<const float2*>(x + 1)[threadIdx.x];  // ここ
    out[threadIdx.x] = v.x + v.y;
}

int main() {
    const int n = 128;
    float *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemset(x, 0, n * sizeof(float)));
    CHECK(cudaMemset(out, 0, n * sizeof(float)));
    kernel<<<1, 32>>>(x, out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
