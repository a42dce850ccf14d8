// 自分が入っていないマスクでワープの関数を呼ぶ
// 期待: 自分のマスクに入っていない
// 期待: cudaErrorLaunchFailure
#include "../array.cuh"

__global__ void kernel(int* out) {
    out[threadIdx.x] = __shfl_sync(0x0000ffff, int(threadIdx.x), 0);  // ここ
}

int main() {
    ARRAY(int, out, 32);
    kernel<<<1, 32>>>(out);
}
