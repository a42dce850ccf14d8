// 書かれなかった部分和を読む
// 期待: まだ誰も書いていない
// 期待: out[3]
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    if (blockIdx.x < 3) out[blockIdx.x] = in[blockIdx.x];
    if (n < 0) out[3] = 0;
}
__global__ void add(const float* in, float* out) {
    for (int i = 0; i < 4; i++) *out += in[i];  // ここ
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 8);
    kernel<<<4, 1>>>(in, out, 256);
    CHECK(cudaMemset(out + 4, 0, sizeof(float)));
    add<<<1, 1>>>(out, out + 4);
}
