// 範囲の外のスレッドが、値を入れていない変数を書く
// 期待: 値を入れていない変数の値が、グローバルメモリ にある: out[20]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* x, float* out, int n) {
    float v;
    if (int(threadIdx.x) < n) v = x[threadIdx.x];
    out[threadIdx.x] = v;  // ここ
}

int main() {
    float *x, *out, host[32];
    CHECK(cudaMalloc(&x, sizeof host));
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMemset(x, 0, sizeof host));
    kernel<<<1, 32>>>(x, out, 20);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
