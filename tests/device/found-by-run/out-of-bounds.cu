// 端数のブロックの余ったスレッドが、配列の外を読む
// 期待: 触れてはいけないアドレス
// 期待: ブロック 3 のスレッド 232
// 期待: in (4000 バイト
// 期待: cudaErrorIllegalAddress
#include "../array.cuh"

__global__ void kernel(const int* in, int* out, int) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(out, in[i]);  // ここ
}

int main() {
    ARRAY(int, in, 1000, 0);
    ARRAY(int, out, 1, 0);
    kernel<<<4, 256>>>(in, out, 1000);
}
