// 2 次元の共有メモリの、行の数を越える
// 期待: 配列の外の添字を使った: float [16][16] の 16 番
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* x, float* out) {
    __shared__ float tile[16][16];
    tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    const int below = threadIdx.y + 1;
    out[threadIdx.y * 16 + threadIdx.x] = tile[below][threadIdx.x];  // ここ
}

int main() {
    const int n = 256;
    float *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemset(x, 0, n * sizeof(float)));
    CHECK(cudaMemset(out, 0, n * sizeof(float)));
    kernel<<<1, dim3(16, 16)>>>(x, out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
