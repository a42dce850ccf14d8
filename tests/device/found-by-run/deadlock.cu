// マスクは 32 レーンを呼ぶが、16 レーンしか来ない
// 期待: デッドロック
// 期待: __shfl_*_sync (マスク 0xffffffff)
// 期待: cudaErrorLaunchFailure
#include "../array.cuh"

__global__ void kernel(int* out) {
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 16) v += __shfl_down_sync(0xffffffff, v, 8);  // ここ
    __syncthreads();  // ここ
    out[threadIdx.x] = v;
}

int main() {
    ARRAY(int, out, 64);
    kernel<<<1, 64>>>(out);
}
