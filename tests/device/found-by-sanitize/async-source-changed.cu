// 非同期のコピーが終わる前に、写し元を書き換える
// 期待: 検査: コピーの終わりを待たずに、ホストが渡したメモリを書き換えた
#include "../array.cuh"

int main() {
    int* host;
    ARRAY(int, x, 1000);
    CHECK(cudaMallocHost(&host, 1000 * sizeof(int)));
    for (int i = 0; i < 1000; i++) host[i] = i;
    CHECK(cudaMemcpyAsync(x, host, 1000 * sizeof(int), cudaMemcpyHostToDevice));
    host[0] = 1;  // ここ
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFreeHost(host));
}
