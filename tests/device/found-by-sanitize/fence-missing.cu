// 最後のブロックに部分和を渡すとき、__threadfence() がない
// 期待: データ競合: グローバルメモリ part[
// 期待: __threadfence()
// 終了コード: 1
#include "book.cuh"

__device__ unsigned ticket;

__global__ void kernel(const float* in, float* part, float* out) {
    part[blockIdx.x] = in[blockIdx.x];  // ここ
    unsigned t = atomicAdd(&ticket, 1u);
    if (t == gridDim.x - 1) {
        float v = 0;
        for (unsigned i = 0; i < gridDim.x; i++) v += part[i];  // ここ
        *out = v;
    }
}

int main() {
    std::vector<float> x(64, 1.0f);
    float *in, *part, *out;
    CHECK(cudaMalloc(&in, 64 * sizeof(float)));
    CHECK(cudaMalloc(&part, 64 * sizeof(float)));
    CHECK(cudaMalloc(&out, sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 64 * sizeof(float), cudaMemcpyHostToDevice));
    kernel<<<64, 1>>>(in, part, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(part));
    CHECK(cudaFree(out));
    return 0;
}
