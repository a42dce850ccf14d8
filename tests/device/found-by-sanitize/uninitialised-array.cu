// 一部にしか値を入れていない配列から選ぶ
// 期待: 値を入れていない変数の値が、グローバルメモリ にある: out[3]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const int* x, int* out, int n) {
    int best[4];
    for (int k = 0; k < n; k++) best[k] = x[k];
    out[threadIdx.x] = best[threadIdx.x];  // ここ
}

int main() {
    int *x, *out, host[4] = {};
    CHECK(cudaMalloc(&x, sizeof host));
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
    kernel<<<1, 4>>>(x, out, 3);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
