// どのブロックも、同じブロックの他のスレッドを回り続けて待つ
// 期待: 終わらないループ
// 期待: のスレッド 0 が 4 秒たっても進まない
// 期待: 変わるのを待っている
// 期待: cudaErrorLaunchTimeout
#include "../array.cuh"

__global__ void kernel(volatile int* flag) {
    if (threadIdx.x == 0)
        while (flag[blockIdx.x] == 0) {  // ここ
        }
    if (threadIdx.x == 1) flag[blockIdx.x] = 1;
}

int main() {
    const int blocks = 8;
    ARRAY(int, flag, blocks, 0);
    kernel<<<blocks, 32>>>(flag);
}
