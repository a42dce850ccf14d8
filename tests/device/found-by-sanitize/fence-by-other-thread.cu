// 部分和を書いたのとは別のスレッドだけがフェンスを通り、間にバリアがない
// 期待: データ競合: グローバルメモリ part[
#include "../array.cuh"

__device__ unsigned ticket;

__global__ void kernel(float* part, float* out) {
    __shared__ bool last;
    part[blockIdx.x * 64 + threadIdx.x] = 1;  // ここ
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(&ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) out[threadIdx.x] = part[threadIdx.x] + part[64 + threadIdx.x];  // ここ
}

int main() {
    ARRAY(float, part, 128);
    ARRAY(float, out, 64);
    kernel<<<2, 64>>>(part, out);
}
