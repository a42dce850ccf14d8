// 出力: prefix sums ok
#include <cstdio>
#include <numeric>
#include <vector>
#define FULL_MASK 0xffffffff
#define WARP_SIZE 32
__inline__ __device__ int warp_inclusive_scan(int value) {
    int lane = threadIdx.x & (WARP_SIZE - 1);
    for (int d = 1; d < WARP_SIZE; d *= 2) {
        int n = __shfl_up_sync(FULL_MASK, value, d);
        if (lane >= d) value += n;
    }
    return value;
}
__global__ void block_scan(int *data) {
    __shared__ int warp_sums[WARP_SIZE];
    const int lane = threadIdx.x % WARP_SIZE, wid = threadIdx.x / WARP_SIZE;
    int value = warp_inclusive_scan(data[threadIdx.x]);
    if (lane == WARP_SIZE - 1) warp_sums[wid] = value;
    __syncthreads();
    if (wid == 0) warp_sums[lane] = warp_inclusive_scan(lane < blockDim.x / WARP_SIZE ? warp_sums[lane] : 0);
    __syncthreads();
    data[threadIdx.x] = value + (wid > 0 ? warp_sums[wid - 1] : 0);
}
int main() {
    std::vector<int> h(512), want(512);
    for (int i = 0; i < 512; i++) h[i] = i % 11 - 3;
    std::partial_sum(h.begin(), h.end(), want.begin());
    int *d;
    cudaMalloc(&d, 512 * sizeof(int));
    cudaMemcpy(d, h.data(), 512 * sizeof(int), cudaMemcpyHostToDevice);
    block_scan<<<1, 512>>>(d);
    cudaMemcpy(h.data(), d, 512 * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("prefix sums %s\n", h == want ? "ok" : "WRONG");
    cudaFree(d);
}
