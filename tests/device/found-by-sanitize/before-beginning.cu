// 先頭の 1 つ前を読む
// 期待: 配列の外を読んだ
// 期待: in[-1]
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = in[i] - in[i - 1];  // ここ
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 256, 0);
    kernel<<<1, 256>>>(in, out, 256);
}
