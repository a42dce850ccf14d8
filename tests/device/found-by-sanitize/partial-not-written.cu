// 書かれなかった部分和を読む
// 期待: まだ誰も書いていない
// 期待: out[3]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    if (blockIdx.x < 3) out[blockIdx.x] = in[blockIdx.x];
    if (n < 0) out[3] = 0;
}
__global__ void add(const float* in, float* out) {
    for (int i = 0; i < 4; i++) *out += in[i];  // ここ
}

int main() {
    const int n = 256;
    std::vector<float> x(256, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, 256 * sizeof(float)));
    CHECK(cudaMalloc(&out, 8 * sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 256 * sizeof(float), cudaMemcpyHostToDevice));
    kernel<<<4, 1>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemset(out + 4, 0, sizeof(float)));
    add<<<1, 1>>>(out, out + 4);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
