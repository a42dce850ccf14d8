// __syncthreads() でブロックの間も待てると思っている
// 期待: データ競合: グローバルメモリ out[
// 期待: ブロック
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];  // ここ
    __syncthreads();
    if (i < n / 2) out[i] += out[i + n / 2];  // ここ
}

int main() {
    const int n = 256;
    std::vector<float> x(256, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, 256 * sizeof(float)));
    CHECK(cudaMalloc(&out, 256 * sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 256 * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, 256 * sizeof(float)));
    kernel<<<4, 64>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
