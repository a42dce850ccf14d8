// 共有メモリに読み込んだ後の __syncthreads() がない
// 期待: データ競合: 共有メモリ smem[
// 期待: __syncthreads()
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    __shared__ float smem[256];
    int tid = threadIdx.x;
    smem[tid] = in[tid];  // ここ
    if (tid < n / 2) out[tid] = smem[tid] + smem[tid + n / 2];  // ここ
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 128, 0);
    kernel<<<1, 256>>>(in, out, 256);
}
