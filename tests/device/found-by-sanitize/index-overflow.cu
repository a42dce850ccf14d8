// 添字の計算が int の桁をあふれる
// 期待: デバイスのメモリでない所を読んだ
// 期待: 添字が桁あふれしたか
#include "../array.cuh"

__global__ void kernel(const float* x, float* out, unsigned rows, unsigned width) {
    const int i = int((rows - 1) * width + threadIdx.x);
    out[threadIdx.x] = x[1000LL * i];  // ここ
}

int main() {
    ARRAY(float, x, 64, 0);
    ARRAY(float, out, 64, 0);
    kernel<<<1, 32>>>(x, out, 1 << 16, (1 << 15) + 1);
}
