// 最後かどうかを確かめずに、どのブロックも全部の部分和を読む
// 期待: データ競合: グローバルメモリ part[
// 終了コード: 1
#include "book.cuh"

__device__ unsigned ticket;

__global__ void kernel(const float* in, float* part, float* out) {
    part[blockIdx.x] = in[blockIdx.x];  // ここ
    __threadfence();
    atomicInc(&ticket, gridDim.x - 1);
    __threadfence();
    float v = 0;
    for (unsigned i = 0; i < gridDim.x; i++) v += part[i];  // ここ
    if (blockIdx.x == gridDim.x - 1) *out = v;
}

int main() {
    std::vector<float> x(64, 1.0f);
    float *in, *part, *out;
    CHECK(cudaMalloc(&in, 64 * sizeof(float)));
    CHECK(cudaMalloc(&part, 64 * sizeof(float)));
    CHECK(cudaMalloc(&out, sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 64 * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(part, 0, 64 * sizeof(float)));
    kernel<<<64, 1>>>(in, part, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(part));
    CHECK(cudaFree(out));
    return 0;
}
