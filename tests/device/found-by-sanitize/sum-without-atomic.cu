// ブロックごとの合計を、アトミック演算を使わずに足す
// 期待: データ競合: グローバルメモリ out[0]
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    if (threadIdx.x == 0) *out += in[blockIdx.x] + n;  // ここ
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 1, 0);
    kernel<<<4, 32>>>(in, out, 256);
}
