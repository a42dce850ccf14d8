// 待ったのは、コピーとは別のストリームである
// 期待: 検査: コピーの終わりを待たずに、ホストが結果を読んだ
#include "../array.cuh"

int main() {
    cudaStream_t one, other;
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreate(&other));
    ARRAY(int, x, 1000, 0);
    std::vector<int> host(1000);
    CHECK(cudaMemcpyAsync(host.data(), x, 1000 * sizeof(int), cudaMemcpyDeviceToHost, one));
    CHECK(cudaStreamSynchronize(other));
    if (host[1000 - 1] != 0) return 1;  // ここ
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(other));
}
