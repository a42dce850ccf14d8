// 最後のブロックに部分和を渡すとき、__threadfence() がない
// 期待: データ競合: グローバルメモリ part[
// 期待: __threadfence()
#include "../array.cuh"

__device__ unsigned ticket;

__global__ void kernel(const float* in, float* part, float* out) {
    part[blockIdx.x] = in[blockIdx.x];  // ここ
    unsigned t = atomicAdd(&ticket, 1u);
    if (t == gridDim.x - 1) {
        float v = 0;
        for (unsigned i = 0; i < gridDim.x; i++) v += part[i];  // ここ
        *out = v;
    }
}

int main() {
    ARRAY(float, in, 64, 1);
    ARRAY(float, part, 64);
    ARRAY(float, out, 1);
    kernel<<<64, 1>>>(in, part, out);
}
