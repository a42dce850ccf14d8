// 装置の大きさ: 本の「機械の図」(5.0) に書く数を、装置に聞く。1 行の JSON を書く
#include <cuda_runtime.h>

#include <cstdio>

int main() {
    cudaDeviceProp p;
    if (const cudaError_t e = cudaGetDeviceProperties(&p, 0)) {
        fprintf(stderr, "装置に聞けない: %s\n", cudaGetErrorString(e));
        return 3;
    }
    printf(
        "{\"device\": \"%s\", \"compute_major\": %d, \"compute_minor\": %d, \"sms\": %d, \"warps_per_sm\": %d, "
        "\"threads_per_sm\": %d, \"registers_per_sm\": %d, \"shared_bytes\": %zu, \"l2_bytes\": %d, "
        "\"memory_bytes\": %zu}\n",
        p.name, p.major, p.minor, p.multiProcessorCount, p.maxThreadsPerMultiProcessor / p.warpSize,
        p.maxThreadsPerMultiProcessor, p.regsPerMultiprocessor, p.sharedMemPerMultiprocessor, p.l2CacheSize,
        p.totalGlobalMem);
}
