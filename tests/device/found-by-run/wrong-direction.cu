// コピーの向きが逆
// 期待: コピー先はデバイスのメモリではない
// 期待: cudaErrorInvalidValue
#include "book.cuh"

int main() {
    int *dev, host = 1;
    CHECK(cudaMalloc(&dev, sizeof(int)));
    CHECK(cudaMemcpy(&host, dev, sizeof(int), cudaMemcpyHostToDevice));  // ここ
    CHECK(cudaFree(dev));
}
