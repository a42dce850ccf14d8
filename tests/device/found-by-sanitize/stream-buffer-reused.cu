// 前の分を使い終わるのを待たずに、次の分を同じ所に写す
// 期待: データ競合: 別々のストリームの仕事が、順序なしに同じ所に触れる: グローバルメモリ x[0]
#include "../array.cuh"

__global__ void add(const int* x, int* sum) { atomicAdd(sum, x[threadIdx.x]); }

int main() {
    int* host;
    cudaStream_t copy, work;
    cudaEvent_t full;
    CHECK(cudaStreamCreate(&copy));
    CHECK(cudaStreamCreate(&work));
    CHECK(cudaEventCreate(&full));
    CHECK(cudaMallocHost(&host, 64 * sizeof(int)));
    ARRAY(int, x, 32);
    ARRAY(int, sum, 1, 0);
    for (int k = 0; k < 2; k++) {
        CHECK(cudaMemcpyAsync(x, host + 32 * k, 32 * sizeof(int), cudaMemcpyHostToDevice, copy));  // ここ
        CHECK(cudaEventRecord(full, copy));
        CHECK(cudaStreamWaitEvent(work, full));
        add<<<1, 32, 0, work>>>(x, sum);  // ここ
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFreeHost(host));
    CHECK(cudaEventDestroy(full));
    CHECK(cudaStreamDestroy(copy));
    CHECK(cudaStreamDestroy(work));
}
