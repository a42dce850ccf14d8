// シャッフルを、メモリの待ち合わせの代わりにする
// 期待: データ競合: 共有メモリ smem[
#include "../array.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem[32];
    smem[threadIdx.x] = 1;  // ここ
    int v = __shfl_xor_sync(0xffffffffu, 1, 1);
    out[threadIdx.x] = v + smem[threadIdx.x ^ 1];  // ここ
}

int main() {
    ARRAY(int, out, 4096, 0);
    kernel<<<1, 32>>>(out);
}
