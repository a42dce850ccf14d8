// 同じブロックの他のスレッドを、回り続けて待つ
// 期待: 進まない
// 期待: ブロック 0 のスレッド 0
// 期待: cudaErrorLaunchTimeout
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(volatile int* flag) {
    if (threadIdx.x == 0)
        while (*flag == 0) {  // ここ
        }
    if (threadIdx.x == 1) *flag = 1;
}

int main() {
    int* flag;
    CHECK(cudaMalloc(&flag, sizeof(int)));
    CHECK(cudaMemset(flag, 0, sizeof(int)));
    kernel<<<1, 32>>>(flag);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(flag));
    return 0;
}
