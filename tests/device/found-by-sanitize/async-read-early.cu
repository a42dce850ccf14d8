// 非同期のコピーを待たずに、ホストが結果を読む
// 期待: 検査: コピーの終わりを待たずに、ホストが結果を読んだ
// 終了コード: 1
#include "book.cuh"

int main() {
    const int n = 1000;
    int *x, *host;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&x, n * sizeof(int)));
    CHECK(cudaMallocHost(&host, n * sizeof(int)));
    CHECK(cudaMemsetAsync(x, 0, n * sizeof(int), stream));
    CHECK(cudaMemcpyAsync(host, x, n * sizeof(int), cudaMemcpyDeviceToHost, stream));  // ここ
    int sum = 0;
    for (int i = 0; i < n; i++) sum += host[i];  // ここ
    CHECK(cudaStreamSynchronize(stream));
    printf("%d\n", sum);
    CHECK(cudaFree(x));
    CHECK(cudaFreeHost(host));
    CHECK(cudaStreamDestroy(stream));
    return 0;
}
