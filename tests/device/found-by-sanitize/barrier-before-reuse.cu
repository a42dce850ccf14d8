// 前の値を読み終わる前に、共有メモリを使い回す
// 期待: データ競合: 共有メモリ smem[
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    __shared__ float smem[64];
    int tid = threadIdx.x;
    float v = 0;
    for (int i = tid; i < n; i += 64) {
        smem[tid] = in[i];  // ここ
        __syncthreads();
        v += smem[63 - tid];  // ここ
    }
    out[tid] = v;
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 64, 0);
    kernel<<<1, 64>>>(in, out, 256);
}
