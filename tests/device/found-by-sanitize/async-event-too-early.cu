// コピーより前に記録したイベントを待つ。後のものを待たずに、時間を聞く
// 期待: 検査: イベントの終わりを待たずに、時間を聞いた
// 期待: 検査: コピーの終わりを待たずに、ホストが結果を読んだ
#include "../array.cuh"

int main() {
    int* host;
    float ms;
    cudaEvent_t copied, after;
    CHECK(cudaEventCreate(&copied));
    CHECK(cudaEventCreate(&after));
    ARRAY(int, x, 1000, 0);
    CHECK(cudaMallocHost(&host, 1000 * sizeof(int)));
    CHECK(cudaEventRecord(copied));
    CHECK(cudaMemcpyAsync(host, x, 1000 * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaEventRecord(after));
    CHECK(cudaEventSynchronize(copied));
    CHECK(cudaEventElapsedTime(&ms, copied, after));  // ここ
    const int last = host[1000 - 1];  // ここ
    CHECK(cudaEventDestroy(copied));
    CHECK(cudaEventDestroy(after));
    CHECK(cudaFreeHost(host));
    return last;
}
