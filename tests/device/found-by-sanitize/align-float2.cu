// 奇数番目の float から float2 を読む
// 期待: 番地が 8 の倍数ではない
// 期待: グローバルメモリ x[1]
#include "../array.cuh"

__global__ void kernel(const float* x, float* out) {
    const float2 v = reinterpret_cast<const float2*>(x + 1)[threadIdx.x];  // ここ
    out[threadIdx.x] = v.x + v.y;
}

int main() {
    ARRAY(float, x, 128, 0);
    ARRAY(float, out, 128, 0);
    kernel<<<1, 32>>>(x, out);
}
