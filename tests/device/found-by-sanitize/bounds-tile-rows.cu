// 2 次元の共有メモリの、行の数を越える
// 期待: 配列の外の添字を使った: float [16][16] の 16 番
#include "../array.cuh"

__global__ void kernel(const float* x, float* out) {
    __shared__ float tile[16][16];
    tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    const int below = threadIdx.y + 1;
    out[threadIdx.y * 16 + threadIdx.x] = tile[below][threadIdx.x];  // ここ
}

int main() {
    ARRAY(float, x, 256, 0);
    ARRAY(float, out, 256, 0);
    kernel<<<1, dim3(16, 16)>>>(x, out);
}
