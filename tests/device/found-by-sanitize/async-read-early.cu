// 非同期のコピーを待たずに、ホストが結果を読む
// 期待: 検査: コピーの終わりを待たずに、ホストが結果を読んだ
#include "../array.cuh"

int main() {
    int* host;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    ARRAY(int, x, 1000);
    CHECK(cudaMallocHost(&host, 1000 * sizeof(int)));
    CHECK(cudaMemsetAsync(x, 0, 1000 * sizeof(int), stream));
    CHECK(cudaMemcpyAsync(host, x, 1000 * sizeof(int), cudaMemcpyDeviceToHost, stream));  // ここ
    int sum = 0;
    for (int i = 0; i < 1000; i++) sum += host[i];  // ここ
    CHECK(cudaStreamSynchronize(stream));
    printf("%d\n", sum);
    CHECK(cudaFreeHost(host));
    CHECK(cudaStreamDestroy(stream));
}
