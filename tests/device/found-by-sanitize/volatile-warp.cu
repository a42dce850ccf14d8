// volatile だけで、ワープの中で受け渡す
// 期待: データ競合: 共有メモリ smem[
#include "../array.cuh"

__global__ void kernel(int* out) {
    __shared__ volatile int smem[64];
    smem[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 32) smem[threadIdx.x] = smem[threadIdx.x] + smem[threadIdx.x + 16];  // ここ
    __syncthreads();
    out[threadIdx.x] = smem[threadIdx.x];
}

int main() {
    ARRAY(int, out, 4096, 0);
    kernel<<<1, 64>>>(out);
}
