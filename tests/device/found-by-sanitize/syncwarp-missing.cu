// ワープの中で共有メモリを渡すとき、__syncwarp() がない
// 期待: データ競合: 共有メモリ smem[
// 期待: __syncwarp()
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    __shared__ float smem[32];
    int lane = threadIdx.x;
    smem[lane] = in[lane];  // ここ
    out[lane] = smem[(lane + 1) % 32] + n;  // ここ
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 32, 0);
    kernel<<<1, 32>>>(in, out, 256);
}
