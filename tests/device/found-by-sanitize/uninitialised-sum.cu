// 0 を入れ忘れた変数に足す
// 期待: 値を入れていない変数の値が、グローバルメモリ にある: out[0]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* x, float* out, int n) {
    float sum;
    for (int i = 0; i < n; i++) sum += x[i];
    *out = sum;  // ここ
}

int main() {
    float *x, *out, host[32];
    CHECK(cudaMalloc(&x, sizeof host));
    CHECK(cudaMalloc(&out, sizeof(float)));
    for (float& v : host) v = 1;
    CHECK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
    kernel<<<1, 1>>>(x, out, 32);
    CHECK(cudaMemcpy(host, out, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
