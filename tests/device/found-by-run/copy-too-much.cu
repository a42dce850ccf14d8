// 配列より長くコピーする
// 期待: コピー先が dev (40 バイト) の終わりを 4 バイト越える
// 期待: cudaErrorInvalidValue
#include "book.cuh"

int main() {
    int *dev, host[11] = {};
    CHECK(cudaMalloc(&dev, 10 * sizeof(int)));
    CHECK(cudaMemcpy(dev, host, 11 * sizeof(int), cudaMemcpyHostToDevice));  // ここ
    CHECK(cudaFree(dev));
}
