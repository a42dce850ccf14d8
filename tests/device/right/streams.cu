// いくつものストリームに、順序を決めて入れる
#include "../array.cuh"

__global__ void make(int* x, int at) { x[at] = at; }
__global__ void join(const int* x, int* sum) { atomicAdd(sum, x[0] + x[1]); }
static void show(void* host) { CHECK(*(int*)host == 2 ? cudaSuccess : cudaErrorUnknown); }

int main() {
    int* host;
    cudaStream_t s[3];
    cudaEvent_t made[2];
    for (auto& each : s) CHECK(cudaStreamCreate(&each));
    for (auto& each : made) CHECK(cudaEventCreate(&each));
    CHECK(cudaMallocHost(&host, sizeof(int)));
    ARRAY(int, x, 2);
    ARRAY(int, sum, 1, 0);
    for (int k = 0; k < 2; k++) {  // 別々の要素なら、順序はなくてよい
        make<<<1, 1, 0, s[k]>>>(x, k);
        CHECK(cudaEventRecord(made[k], s[k]));
        CHECK(cudaStreamWaitEvent(s[2], made[k]));
    }
    join<<<1, 1, 0, s[2]>>>(x, sum);
    join<<<1, 1>>>(x, sum);  // 既定のストリームは、待つ
    CHECK(cudaMemcpyAsync(host, sum, sizeof(int), cudaMemcpyDeviceToHost, s[1]));
    CHECK(cudaLaunchHostFunc(s[1], show, host));
    CHECK(cudaStreamSynchronize(s[1]));
    make<<<1, 1, 0, s[0]>>>(x, 0);
    CHECK(cudaFreeHost(host));
    for (auto& each : made) CHECK(cudaEventDestroy(each));
    for (auto& each : s) CHECK(cudaStreamDestroy(each));
}
