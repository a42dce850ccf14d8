// 別のブロックの 2 つの書き込みを、普通に読む
// 期待: データ競合: グローバルメモリ x[
#include "../array.cuh"

__global__ void kernel(int* x, int* out) {
    int b = int(blockIdx.x);
    if (b < 2) x[b] = 1;  // ここ
    else out[b] = x[b - 2];  // ここ
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    kernel<<<4, 1>>>(x, out);
}
