// どのブロックも、同じブロックの他のスレッドを回り続けて待つ
// 期待: 終わらないループ
// 期待: 変わるのを待っている
// 期待: cudaErrorLaunchTimeout
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(volatile int* flag) {
    if (threadIdx.x == 0)
        while (flag[blockIdx.x] == 0) {  // ここ
        }
    if (threadIdx.x == 1) flag[blockIdx.x] = 1;
}

int main() {
    const int blocks = 8;
    int* flag;
    CHECK(cudaMalloc(&flag, blocks * sizeof(int)));
    CHECK(cudaMemset(flag, 0, blocks * sizeof(int)));
    kernel<<<blocks, 32>>>(flag);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(flag));
    return 0;
}
