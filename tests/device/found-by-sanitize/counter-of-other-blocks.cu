// 全ブロックが数えた後、最後のブロックが普通に読む
// 期待: データ競合: グローバルメモリ x[0]
#include "../array.cuh"

__global__ void kernel(int* x, int* out) {
    atomicAdd(x, 1);  // ここ
    if (blockIdx.x == gridDim.x - 1) *out = *x;  // ここ
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    kernel<<<4, 1>>>(x, out);
}
