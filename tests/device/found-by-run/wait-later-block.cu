// ブロック 0 が、後の番号のブロックを待つ
// 期待: 終わらないループ
// 期待: 別のブロックを待っているなら
// 期待: cudaErrorLaunchTimeout
#include "../array.cuh"

__global__ void kernel(volatile int* flag) {
    if (blockIdx.x + 1 < gridDim.x)
        while (flag[blockIdx.x + 1] == 0) {  // ここ
        }
    flag[blockIdx.x] = 1;
}

int main() {
    const int blocks = 100;
    ARRAY(int, flag, blocks, 0);
    kernel<<<blocks, 1>>>(flag);
}
