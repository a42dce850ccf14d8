// コピーより前に記録したイベントを待つ
// 期待: 検査: コピーの終わりを待たずに、ホストが結果を読んだ
// 終了コード: 1
#include "book.cuh"

int main() {
    const int n = 1000;
    int *x, *host;
    cudaEvent_t copied;
    CHECK(cudaEventCreate(&copied));
    CHECK(cudaMalloc(&x, n * sizeof(int)));
    CHECK(cudaMallocHost(&host, n * sizeof(int)));
    CHECK(cudaMemset(x, 0, n * sizeof(int)));
    CHECK(cudaEventRecord(copied));
    CHECK(cudaMemcpyAsync(host, x, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaEventSynchronize(copied));
    const int last = host[n - 1];  // ここ
    CHECK(cudaEventDestroy(copied));
    CHECK(cudaFree(x));
    CHECK(cudaFreeHost(host));
    return last;
}
