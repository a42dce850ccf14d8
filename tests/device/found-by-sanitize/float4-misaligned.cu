// 16 バイト境界にない所を float4 で読む
// 期待: 番地が 16 の倍数ではない
// 期待: x[1]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out) {
    const float4* in4 = reinterpret_cast<const float4*>(in);
    float4 q = in4[threadIdx.x];  // ここ
    out[threadIdx.x] = (q.x + q.y) + (q.z + q.w);
}

int main() {
    const int n = 32;
    std::vector<float> host(4 * n + 1, 1.0f);
    float *x, *out;
    CHECK(cudaMalloc(&x, host.size() * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemcpy(x, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
    kernel<<<1, n>>>(x + 1, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
