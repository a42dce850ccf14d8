// 出力: hits agree
#include <cstdio>
#include <vector>
struct LCG {
    unsigned long long s;
    __host__ __device__ explicit LCG(unsigned long long seed) : s(seed * 2862933555777941757ULL + 3037000493ULL) {}
    __host__ __device__ unsigned next() {
        s = s * 6364136223846793005ULL + 1442695040888963407ULL;
        return (unsigned)(s >> 40);
    }
};
__host__ __device__ inline unsigned throwDarts(unsigned seed, int trials) {
    LCG rng(seed);
    unsigned inside = 0;
    for (int i = 0; i < trials; i++) {
        unsigned long long x = rng.next(), y = rng.next();
        if (x * x + y * y < (1ULL << 48)) inside++;
    }
    return inside;
}
__global__ void kernel(unsigned long long *total, int trials) {
    auto mine = throwDarts(blockIdx.x * blockDim.x + threadIdx.x, trials);
    atomicAdd(total, (unsigned long long)mine);
}
int main() {
    constexpr int kThreads = 64, kBlocks = 32, kTrials = 100;
    unsigned long long *d_total, gpu = 0, cpu = 0;
    cudaMalloc(&d_total, sizeof(*d_total));
    cudaMemset(d_total, 0, sizeof(*d_total));
    kernel<<<kBlocks, kThreads>>>(d_total, kTrials);
    if (auto error = cudaDeviceSynchronize(); error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        return 1;
    }
    cudaMemcpy(&gpu, d_total, sizeof gpu, cudaMemcpyDeviceToHost);
    for (unsigned t = 0; t < kThreads * kBlocks; t++) cpu += throwDarts(t, kTrials);
    double pi = 4.0 * gpu / (double(kThreads) * kBlocks * kTrials);
    printf(gpu == cpu && pi > 3.1 && pi < 3.2 ? "hits agree\n" : "hits differ: %llu %llu\n", gpu, cpu);
    cudaFree(d_total);
}
