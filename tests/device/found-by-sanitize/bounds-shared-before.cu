// 共有メモリの先頭より前を読む
// 期待: 配列の外を読んだ
// 期待: smem[-1]
// 期待: 共有メモリ
#include "../array.cuh"

extern __shared__ float smem[];

__global__ void kernel(const float* x, float* out) {
    smem[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = smem[threadIdx.x] - smem[int(threadIdx.x) - 1];  // ここ
}

int main() {
    ARRAY(float, x, 64, 0);
    ARRAY(float, out, 64, 0);
    kernel<<<1, 64, 64 * sizeof(float)>>>(x, out);
}
