// コピーの失敗を確かめない
// 期待: を 4 バイト越える
// 期待: 誤りを 1 個見つけた
#include "book.cuh"

int main() {
    int *x, host[11] = {};
    cudaMalloc(&x, 10 * sizeof(int));
    cudaMemcpy(x, host, 11 * sizeof(int), cudaMemcpyHostToDevice);  // ここ
    cudaFree(x);
}
