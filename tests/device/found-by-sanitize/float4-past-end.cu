// 4 個ずつ読むとき、端数を確かめない
// 期待: 配列の外を読んだ
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float4* in, float* out, int n) {
    int i = threadIdx.x;
    if (4 * i < n) {
        float4 v = in[i];  // ここ
        atomicAdd(out, v.x + v.y + v.z + v.w);
    }
}

int main() {
    const int n = 250;
    std::vector<float> x(n, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc(&out, sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, sizeof(float)));
    kernel<<<1, 64>>>((const float4*)in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
