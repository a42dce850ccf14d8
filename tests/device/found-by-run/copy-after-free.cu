// 解放した領域から写す
// 期待: コピー元は、すでに解放した領域 x である
#include "book.cuh"

int main() {
    int *x, host[10] = {};
    CHECK(cudaMalloc(&x, sizeof host));
    CHECK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
    CHECK(cudaFree(x));  // ここ
    CHECK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));  // ここ
    return host[0];
}
