// 範囲の外のスレッドが、バリアの前に return する
// 期待: __syncthreads() に来ないスレッドがいる
// 期待: 256 個のうち 200 個
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    __shared__ float smem[256];
    int tid = threadIdx.x;
    smem[tid] = 0;
    if (tid >= n) return;
    smem[tid] = in[tid];
    __syncthreads();  // ここ
    out[tid] = smem[(tid + 1) % 200];
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 256, 0);
    kernel<<<1, 256>>>(in, out, 200);
}
