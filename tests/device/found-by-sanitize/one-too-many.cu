// < を <= と書いた
// 期待: 配列の外を読んだ
// 期待: in[250]
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) atomicAdd(out, in[i]);  // ここ
}

int main() {
    ARRAY(float, in, 250, 1);
    ARRAY(float, out, 1, 0);
    kernel<<<1, 256>>>(in, out, 250);
}
