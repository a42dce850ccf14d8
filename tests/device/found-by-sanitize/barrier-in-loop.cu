// 畳むループの中の __syncthreads() がない
// 期待: データ競合: 共有メモリ smem[
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    __shared__ float smem[256];
    int tid = threadIdx.x;
    smem[tid] = in[tid];
    __syncthreads();
    for (int stride = n / 2; stride > 0; stride /= 2) {
        if (tid < stride) smem[tid] += smem[tid + stride];  // ここ
    }
    if (tid == 0) *out = smem[0];
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 1, 0);
    kernel<<<1, 256>>>(in, out, 256);
}
