// ブロックごとに 0 にしてから足す: 別のブロックが足したものを消す
// 期待: データ競合: グローバルメモリ out[0]
#include "../array.cuh"

__global__ void kernel(int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) *out = 0;  // ここ
    __syncthreads();
    atomicAdd(out, x[i]);
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    kernel<<<4, 64>>>(x, out);
}
