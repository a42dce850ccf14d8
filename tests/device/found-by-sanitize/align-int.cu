// 1 バイトずれた int を読む
// 期待: 番地が 4 の倍数ではない
// 期待: グローバルメモリ x[0]
#include "../array.cuh"

__global__ void kernel(const int* x, int* out) {
    const int* p = reinterpret_cast<const int*>(reinterpret_cast<const char*>(x) + 1);
    out[threadIdx.x] = p[threadIdx.x];  // ここ
}

int main() {
    ARRAY(int, x, 64, 0);
    ARRAY(int, out, 64, 0);
    kernel<<<1, 32>>>(x, out);
}
