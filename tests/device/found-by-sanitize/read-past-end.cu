// 範囲を確かめずに読む
// 期待: 配列の外を読んだ
// 期待: in[250]
// 期待: in の要素は 250 個
// 期待: cudaErrorIllegalAddress
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(out, in[i]);  // ここ
    if (i < 0) *out = n;
}

int main() {
    const int n = 256;
    std::vector<float> x(250, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, 250 * sizeof(float)));
    CHECK(cudaMalloc(&out, 1 * sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 250 * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, 1 * sizeof(float)));
    kernel<<<1, 256>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
