// 前の値を読み終わる前に、共有メモリを使い回す
// 期待: データ競合: 共有メモリ smem[
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    __shared__ float smem[64];
    int tid = threadIdx.x;
    float v = 0;
    for (int i = tid; i < n; i += 64) {
        smem[tid] = in[i];  // ここ
        __syncthreads();
        v += smem[63 - tid];  // ここ
    }
    out[tid] = v;
}

int main() {
    const int n = 256;
    std::vector<float> x(256, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, 256 * sizeof(float)));
    CHECK(cudaMalloc(&out, 64 * sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 256 * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, 64 * sizeof(float)));
    kernel<<<1, 64>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
