// 最後のブロックが、札を取った後の __threadfence() なしに部分和を読む
// 期待: データ競合: グローバルメモリ part[
// 期待: 読む前にアトミック演算、__threadfence()
#include "../array.cuh"

__device__ unsigned ticket;

__global__ void kernel(float* part, float* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = 1;  // ここ
        __threadfence();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) out[threadIdx.x] = part[threadIdx.x];  // ここ
}

int main() {
    ARRAY(float, part, 64);
    ARRAY(float, out, 64);
    kernel<<<64, 64>>>(part, out);
}
