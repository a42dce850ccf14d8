// 最後のワープを、待たずに畳む (Volta より前の書き方)
// 期待: データ競合: 共有メモリ smem[
// 期待: __syncwarp()
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    __shared__ float smem[64];
    int tid = threadIdx.x;
    smem[tid] = in[tid];
    __syncthreads();
    if (tid < 32) {
        volatile float* v = smem;
        v[tid] += v[tid + 32];
        v[tid] += v[tid + 16];  // ここ
        v[tid] += v[tid + 8];
        v[tid] += v[tid + 4];
        v[tid] += v[tid + 2];
        v[tid] += v[tid + 1];
    }
    if (tid == 0) *out = smem[0] + n;
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 1, 0);
    kernel<<<1, 64>>>(in, out, 256);
}
