// 誰も変えない値を、アトミック演算で見続ける
// 期待: 終わらないループ
// 期待: cudaErrorLaunchTimeout
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(int* flag) {
    while (atomicAdd(flag, 0) == int(threadIdx.x >= 1)) {  // ここ
    }
}

int main() {
    int* flag;
    CHECK(cudaMalloc(&flag, sizeof(int)));
    CHECK(cudaMemset(flag, 0, sizeof(int)));
    kernel<<<1, 32>>>(flag);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(flag));
}
