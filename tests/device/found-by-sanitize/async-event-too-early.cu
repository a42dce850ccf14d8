// コピーより前に記録したイベントを待つ
// 期待: 検査: コピーの終わりを待たずに、ホストが結果を読んだ
#include "../array.cuh"

int main() {
    int* host;
    cudaEvent_t copied;
    CHECK(cudaEventCreate(&copied));
    ARRAY(int, x, 1000, 0);
    CHECK(cudaMallocHost(&host, 1000 * sizeof(int)));
    CHECK(cudaEventRecord(copied));
    CHECK(cudaMemcpyAsync(host, x, 1000 * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaEventSynchronize(copied));
    const int last = host[1000 - 1];  // ここ
    CHECK(cudaEventDestroy(copied));
    CHECK(cudaFreeHost(host));
    return last;
}
