// 奇数番目の float の所に double を書く
// 期待: 番地が 8 の倍数ではない
// 期待: グローバルメモリ out[1]
#include "../array.cuh"

__global__ void kernel(const float* x, float* out) {
    *reinterpret_cast<double*>(out + 2 * threadIdx.x + 1) = double(x[threadIdx.x]);  // ここ
}

int main() {
    ARRAY(float, x, 128, 0);
    ARRAY(float, out, 128, 0);
    kernel<<<1, 32>>>(x, out);
}
