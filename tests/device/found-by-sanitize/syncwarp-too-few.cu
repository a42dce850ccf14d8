// __syncwarp() に来るレーンが足りない
// 期待: データ競合: 共有メモリ smem[
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    __shared__ float smem[32];
    int lane = threadIdx.x;
    smem[lane] = in[lane];  // ここ
    if (lane < 16) __syncwarp(0x0000ffff);
    out[lane] = smem[31 - lane] + n;  // ここ
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 32, 0);
    kernel<<<1, 32>>>(in, out, 256);
}
