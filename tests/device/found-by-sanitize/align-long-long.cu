// 奇数番目の int から long long を読む
// 期待: 番地が 8 の倍数ではない
// 期待: x[1]
#include "../array.cuh"

__global__ void kernel(const int* x, int* out) {
    const long long v = *reinterpret_cast<const long long*>(x + 2 * threadIdx.x + 1);  // ここ
    out[threadIdx.x] = int(v);
}

int main() {
    ARRAY(int, x, 128, 0);
    ARRAY(int, out, 128, 0);
    kernel<<<1, 32>>>(x, out);
}
