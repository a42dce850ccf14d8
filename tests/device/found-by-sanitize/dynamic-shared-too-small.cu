// 動的共有メモリを、要る大きさの半分で起動する
// 期待: 配列の外を書いた
// 期待: smem[128]
// 期待: smem の要素は 128 個
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    extern __shared__ float smem[];
    int tid = threadIdx.x;
    smem[tid] = in[tid];  // ここ
    __syncthreads();
    out[tid] = smem[n - 1 - tid];
}

int main() {
    const int n = 256;
    std::vector<float> x(256, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, 256 * sizeof(float)));
    CHECK(cudaMalloc(&out, 256 * sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 256 * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, 256 * sizeof(float)));
    kernel<<<1, 256, 128 * sizeof(float)>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
