// __device__ 変数に、アトミックでない += で足す
// 期待: データ競合: グローバルメモリ total[0]
// 期待: atomicAdd
// 終了コード: 1
#include "book.cuh"

__device__ float total;

__global__ void kernel(const float* in) { total += in[threadIdx.x]; }  // ここ

int main() {
    std::vector<float> x(64, 1.0f);
    float* in;
    CHECK(cudaMalloc(&in, 64 * sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 64 * sizeof(float), cudaMemcpyHostToDevice));
    kernel<<<1, 64>>>(in);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    return 0;
}
