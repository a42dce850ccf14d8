// 非同期のコピーが終わる前に、写し元を書き換える
// 期待: 検査: コピーの終わりを待たずに、ホストが渡したメモリを書き換えた
// 終了コード: 1
#include "book.cuh"

int main() {
    const int n = 1000;
    int *x, *host;
    CHECK(cudaMalloc(&x, n * sizeof(int)));
    CHECK(cudaMallocHost(&host, n * sizeof(int)));
    for (int i = 0; i < n; i++) host[i] = i;
    CHECK(cudaMemcpyAsync(x, host, n * sizeof(int), cudaMemcpyHostToDevice));
    host[0] = 1;  // ここ
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFreeHost(host));
    return 0;
}
