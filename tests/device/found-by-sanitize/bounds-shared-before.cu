// 共有メモリの先頭より前を読む
// 期待: 配列の外を読んだ
// 期待: smem[-1]
// 期待: 共有メモリ
// 終了コード: 1
#include "book.cuh"

extern __shared__ float smem[];

__global__ void kernel(const float* x, float* out) {
    smem[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = smem[threadIdx.x] - smem[int(threadIdx.x) - 1];  // ここ
}

int main() {
    const int n = 64;
    float *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemset(x, 0, n * sizeof(float)));
    CHECK(cudaMemset(out, 0, n * sizeof(float)));
    kernel<<<1, 64, 64 * sizeof(float)>>>(x, out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
