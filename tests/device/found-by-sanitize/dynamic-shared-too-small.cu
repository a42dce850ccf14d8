// 動的共有メモリを、要る大きさの半分で起動する
// 期待: 配列の外を書いた
// 期待: smem[128]
// 期待: smem の要素は 128 個
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    extern __shared__ float smem[];
    int tid = threadIdx.x;
    smem[tid] = in[tid];  // ここ
    __syncthreads();
    out[tid] = smem[n - 1 - tid];
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 256, 0);
    kernel<<<1, 256, 128 * sizeof(float)>>>(in, out, 256);
}
