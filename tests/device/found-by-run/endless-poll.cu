// 誰も変えない値を、アトミック演算で見続ける
// 期待: 終わらないループ
// 期待: cudaErrorLaunchTimeout
#include "../array.cuh"

__global__ void kernel(int* flag) {
    while (atomicAdd(flag, 0) == int(threadIdx.x >= 1)) {  // ここ
    }
}

int main() {
    ARRAY(int, flag, 1, 0);
    kernel<<<1, 32>>>(flag);
}
