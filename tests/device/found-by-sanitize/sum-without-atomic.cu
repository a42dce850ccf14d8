// ブロックごとの合計を、アトミック演算を使わずに足す
// 期待: データ競合: グローバルメモリ out[0]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    if (threadIdx.x == 0) *out += in[blockIdx.x] + n;  // ここ
}

int main() {
    const int n = 256;
    std::vector<float> x(256, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, 256 * sizeof(float)));
    CHECK(cudaMalloc(&out, 1 * sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 256 * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, 1 * sizeof(float)));
    kernel<<<4, 32>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
