// 半分だけがそろった後、もう半分の書いたものを読む
// 期待: データ競合: 共有メモリ smem[
#include "../array.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem[32];
    unsigned lane = threadIdx.x;
    smem[lane] = 1;  // ここ
    __syncwarp(lane < 16 ? 0xffffu : 0xffff0000u);
    out[lane] = smem[lane ^ 16];  // ここ
}

int main() {
    ARRAY(int, out, 4096, 0);
    kernel<<<1, 32>>>(out);
}
