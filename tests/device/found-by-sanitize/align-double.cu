// 奇数番目の float の所に double を書く
// 期待: 番地が 8 の倍数ではない
// 期待: グローバルメモリ out[1]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* x, float* out) {
    *reinterpret_cast<double*>(out + 2 * threadIdx.x + 1) = double(x[threadIdx.x]);  // ここ
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
