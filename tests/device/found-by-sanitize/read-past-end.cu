// 範囲を確かめずに読む
// 期待: 配列の外を読んだ
// 期待: in[250]
// 期待: in の要素は 250 個
// 期待: cudaErrorIllegalAddress
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(out, in[i]);  // ここ
    if (i < 0) *out = n;
}

int main() {
    ARRAY(float, in, 250, 1);
    ARRAY(float, out, 1, 0);
    kernel<<<1, 256>>>(in, out, 256);
}
