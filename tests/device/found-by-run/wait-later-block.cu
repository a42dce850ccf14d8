// ブロック 0 が、後の番号のブロックを待つ
// 期待: 終わらないループ
// 期待: 別のブロックを待っているなら
// 期待: cudaErrorLaunchTimeout
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(volatile int* flag) {
    if (blockIdx.x + 1 < gridDim.x)
        while (flag[blockIdx.x + 1] == 0) {  // ここ
        }
    flag[blockIdx.x] = 1;
}

int main() {
    const int blocks = 100;
    int* flag;
    CHECK(cudaMalloc(&flag, blocks * sizeof(int)));
    CHECK(cudaMemset(flag, 0, blocks * sizeof(int)));
    kernel<<<blocks, 1>>>(flag);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(flag));
    return 0;
}
