// memset の範囲が、隣のブロックの受け持ちにかかる
// 期待: データ競合: グローバルメモリ x[
#include "../array.cuh"

__global__ void kernel(int* x, int* out, int n) {
    if (threadIdx.x == 0) memset(x + blockIdx.x * 4, 0, n * sizeof(int));  // ここ
    __syncthreads();
    out[blockIdx.x] = x[blockIdx.x * 4 + threadIdx.x];
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    kernel<<<4, 1>>>(x, out, 5);
}
