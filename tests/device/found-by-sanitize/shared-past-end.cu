// 共有メモリの配列の外を読む
// 期待: 配列の外の添字を使った: float [256] の 256 番
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    __shared__ float smem[256];
    int tid = threadIdx.x;
    smem[tid] = in[tid];
    __syncthreads();
    if (tid <= n / 2) out[tid] = smem[tid + n / 2];  // ここ
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 256, 0);
    kernel<<<1, 256>>>(in, out, 256);
}
