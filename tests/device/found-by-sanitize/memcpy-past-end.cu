// カーネルの中の memcpy が、配列の終わりを越える
// 期待: 配列の外を読んだ
// 期待: x[64]
#include "../array.cuh"

__global__ void kernel(const int* x, int* out, int n) {
    memcpy(out, x, n * sizeof(int));  // ここ
}

int main() {
    ARRAY(int, x, 64, 0);
    ARRAY(int, out, 2 * 64);
    kernel<<<1, 1>>>(x, out, 64 + 1);
}
