// 範囲を確かめずに書く
// 期待: 配列の外を書いた
// 期待: out[250]
// 期待: cudaErrorIllegalAddress
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? in[i] : 0;
    out[i] = v;  // ここ
}

int main() {
    ARRAY(float, in, 250, 1);
    ARRAY(float, out, 250, 0);
    kernel<<<1, 256>>>(in, out, 250);
}
