// 待ったのは、コピーとは別のストリームである
// 期待: 検査: コピーの終わりを待たずに、ホストが結果を読んだ
// 終了コード: 1
#include "book.cuh"

int main() {
    const int n = 1000;
    int* x;
    cudaStream_t one, other;
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreate(&other));
    CHECK(cudaMalloc(&x, n * sizeof(int)));
    CHECK(cudaMemset(x, 0, n * sizeof(int)));
    std::vector<int> host(n);
    CHECK(cudaMemcpyAsync(host.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost, one));
    CHECK(cudaStreamSynchronize(other));
    if (host[n - 1] != 0) return 1;  // ここ
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(other));
    CHECK(cudaFree(x));
    return 0;
}
