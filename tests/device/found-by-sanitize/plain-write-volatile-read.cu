// 普通に書いたものを、volatile で読む
// 期待: データ競合: グローバルメモリ x[0]
#include "../array.cuh"

__global__ void kernel(int* x, int* out) {
    if (blockIdx.x == 0) *x = 1;  // ここ
    else *out = *(volatile int*)x;  // ここ
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    kernel<<<2, 1>>>(x, out);
}
