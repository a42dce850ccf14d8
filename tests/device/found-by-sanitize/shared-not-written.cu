// 端数のスレッドが、共有メモリに 0 を入れない
// 期待: まだ誰も書いていない
// 期待: 共有メモリ smem[200]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    __shared__ float smem[256];
    int tid = threadIdx.x;
    if (tid < n) smem[tid] = in[tid];
    __syncthreads();
    for (int stride = 128; stride > 0; stride /= 2) {
        if (tid < stride) smem[tid] += smem[tid + stride];  // ここ
        __syncthreads();
    }
    if (tid == 0) *out = smem[0];
}

int main() {
    const int n = 200;
    std::vector<float> x(256, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, 256 * sizeof(float)));
    CHECK(cudaMalloc(&out, 1 * sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 256 * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, 1 * sizeof(float)));
    kernel<<<1, 256>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
