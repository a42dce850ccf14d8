// 0 を入れ忘れた変数に足す
// 期待: 値を入れていない変数の値が、グローバルメモリ にある: out[0]
#include "../array.cuh"

__global__ void kernel(const float* x, float* out, int n) {
    float sum;
    for (int i = 0; i < n; i++) sum += x[i];
    *out = sum;  // ここ
}

int main() {
    float host;
    ARRAY(float, x, 32, 1);
    ARRAY(float, out, 1);
    kernel<<<1, 1>>>(x, out, 32);
    CHECK(cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost));
}
