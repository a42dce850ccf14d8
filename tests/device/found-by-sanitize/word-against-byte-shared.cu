// 隣の人が書いたバイトを、待たずに 4 バイトで読む
// 期待: データ競合: 共有メモリ smem[
#include "../array.cuh"

__global__ void kernel(unsigned* u) {
    __shared__ __align__(16) unsigned char smem[64];
    smem[threadIdx.x] = 1;  // ここ
    if (threadIdx.x < 16) u[threadIdx.x] = ((unsigned*)smem)[15 - threadIdx.x];  // ここ
}

int main() {
    ARRAY(unsigned, u, 4096, 0);
    kernel<<<1, 64>>>(u);
}
