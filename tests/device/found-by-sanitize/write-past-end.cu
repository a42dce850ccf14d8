// 範囲を確かめずに書く
// 期待: 配列の外を書いた
// 期待: out[250]
// 期待: cudaErrorIllegalAddress
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? in[i] : 0;
    out[i] = v;  // ここ
}

int main() {
    const int n = 250;
    std::vector<float> x(250, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, 250 * sizeof(float)));
    CHECK(cudaMalloc(&out, 250 * sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 250 * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, 250 * sizeof(float)));
    kernel<<<1, 256>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
