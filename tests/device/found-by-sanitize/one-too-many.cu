// < を <= と書いた
// 期待: 配列の外を読んだ
// 期待: in[250]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) atomicAdd(out, in[i]);  // ここ
}

int main() {
    const int n = 250;
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
