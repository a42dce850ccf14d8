// __constant__ の配列の外を読む
// 期待: 配列の外の添字を使った: float [8] の 8 番
#include "../array.cuh"

__constant__ float weight[8];

__global__ void kernel(const float* x, float* out, int n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += weight[k] * x[k];  // ここ
    *out = sum;
}

int main() {
    ARRAY(float, x, 64, 0);
    ARRAY(float, out, 64, 0);
    kernel<<<1, 1>>>(x, out, 9);
}
