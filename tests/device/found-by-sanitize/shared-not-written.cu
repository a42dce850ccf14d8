// 端数のスレッドが、共有メモリに 0 を入れない
// 期待: まだ誰も書いていない
// 期待: 共有メモリ smem[200]
#include "../array.cuh"

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
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 1, 0);
    kernel<<<1, 256>>>(in, out, 200);
}
