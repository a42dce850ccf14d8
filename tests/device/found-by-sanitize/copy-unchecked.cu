// コピーの失敗を確かめない
// 期待: を 4 バイト越える
// 期待: デバイスの変数 (8 バイト) の終わりを 36 バイト越える
// 期待: 誤りを 2 個見つけた
#include "book.cuh"

__constant__ int weights[2];

int main() {
    int *x, host[11] = {};
    cudaMalloc(&x, 10 * sizeof(int));
    cudaMemcpy(x, host, 11 * sizeof(int), cudaMemcpyHostToDevice);  // ここ
    cudaMemcpyToSymbol(weights, host, 11 * sizeof(int));  // ここ
    cudaFree(x);
}
