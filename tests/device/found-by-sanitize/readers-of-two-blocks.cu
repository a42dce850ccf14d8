// 1 人目の読んだ人の後に、書く人のブロックも読む
// 期待: データ競合: グローバルメモリ x[0]
#include "../array.cuh"

__global__ void kernel(int* x, int* out) {
    out[blockIdx.x] = *x;  // ここ
    __syncthreads();
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) *x = 1;  // ここ
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    kernel<<<8, 1>>>(x, out);
}
