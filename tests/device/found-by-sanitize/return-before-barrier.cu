// 範囲の外のスレッドが、バリアの前に return する
// 期待: __syncthreads() に来ないスレッドがいる
// 期待: 256 個のうち 200 個
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    __shared__ float smem[256];
    int tid = threadIdx.x;
    smem[tid] = 0;
    if (tid >= n) return;
    smem[tid] = in[tid];
    __syncthreads();  // ここ
    out[tid] = smem[(tid + 1) % 200];
}

int main() {
    const int n = 200;
    std::vector<float> x(256, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, 256 * sizeof(float)));
    CHECK(cudaMalloc(&out, 256 * sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 256 * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, 256 * sizeof(float)));
    kernel<<<1, 256>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
