// 合計の変数を 0 にしない
// 期待: まだ誰も書いていない
// 期待: out[0]
// 期待: cudaMemset
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    int i = threadIdx.x;
    if (i < n) atomicAdd(out, in[i]);  // ここ
}

int main() {
    const int n = 256;
    std::vector<float> x(256, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, 256 * sizeof(float)));
    CHECK(cudaMalloc(&out, 1 * sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 256 * sizeof(float), cudaMemcpyHostToDevice));
    kernel<<<1, 256>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
