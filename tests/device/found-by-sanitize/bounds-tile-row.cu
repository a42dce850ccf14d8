// 2 次元の共有メモリの、行の終わりを 1 つ越える
// 期待: 配列の外の添字を使った: float [16] の 16 番
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* x, float* out) {
    __shared__ float tile[16][16];
    tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 16; k++) sum += tile[threadIdx.y][k];  // ここ
    out[threadIdx.y * 16 + threadIdx.x] = sum;
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
