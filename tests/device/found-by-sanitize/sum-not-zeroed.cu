// 合計の変数を 0 にしない
// 期待: まだ誰も書いていない
// 期待: out[0]
// 期待: cudaMemset
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    int i = threadIdx.x;
    if (i < n) atomicAdd(out, in[i]);  // ここ
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 1);
    kernel<<<1, 256>>>(in, out, 256);
}
