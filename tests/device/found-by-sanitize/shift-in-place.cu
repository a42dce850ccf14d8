// 隣の値を、待たずに自分の場所へ写す
// 期待: データ競合: グローバルメモリ out[
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    int i = threadIdx.x;
    float v = out[i + 1];  // ここ
    if (i < n - 1) out[i] = v + in[i];  // ここ
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 256, 0);
    kernel<<<1, 255>>>(in, out, 256);
}
