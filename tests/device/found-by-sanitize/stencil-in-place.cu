// その場に書く差分: 隣のブロックがまだ読んでいない
// 期待: データ競合: グローバルメモリ x[
#include "../array.cuh"

__global__ void kernel(int* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = x[i] + x[i + 1];  // ここ
    __syncthreads();
    x[i] = v;  // ここ
}

int main() {
    ARRAY(int, x, 4096, 0);
    kernel<<<4, 64>>>(x);
}
