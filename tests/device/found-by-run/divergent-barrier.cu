// ブロックの半分が、別の __syncthreads() で待つ
// 期待: 別々の __syncthreads() で待っている
// 期待: スレッド 0-127
// 期待: スレッド 128-255
// 期待: cudaErrorLaunchFailure
#include "../array.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem[256];
    smem[threadIdx.x] = 1;
    if (threadIdx.x < 128) {
        __syncthreads();  // ここ
        smem[threadIdx.x] += smem[threadIdx.x + 128];
    } else {
        __syncthreads();  // ここ
    }
    out[threadIdx.x] = smem[threadIdx.x];
}

int main() {
    ARRAY(int, out, 256);
    kernel<<<2, 256>>>(out);
}
