// 行の幅を間違え、配列の大きさの 2 倍近く先を読む
// 期待: 配列の外を読んだ
// 期待: x[1024]
#include "../array.cuh"

__global__ void kernel(const float* x, float* out, int width) {
    out[threadIdx.y * 32 + threadIdx.x] = x[threadIdx.y * width + threadIdx.x];  // ここ
}

int main() {
    ARRAY(float, x, 1024, 0);
    ARRAY(float, out, 1024, 0);
    kernel<<<1, dim3(32, 16)>>>(x, out, 128);
}
