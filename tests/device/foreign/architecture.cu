// 出力: PASS
// ホストとデバイスで違うもの: __CUDA_ARCH__ と clock()
#include <cstdio>
#include <ctime>

#if __CUDA_ARCH__ >= 700
__device__ int newest() { return 7; }
#endif
#ifdef __CUDA_ARCH__
#define SIDE 2
#else
#define SIDE 3
#endif
__host__ __device__ int side() {
#if defined(__CUDA_ARCH__)
    return 2;
#else
    return 3;
#endif
}
struct Timer {
    __device__ int clock() const {
#if __CUDA_ARCH__ >= 700
        return newest();
#else
        return 0;
#endif
    }
};

// 1 ミリ秒ほど、時計が進むのを待つ
__global__ void wait(long long ticks, long long* out) {
#ifndef __CUDA_ARCH__
    out[0] = -1;
#elif __CUDA_ARCH__ < 700
    out[0] = -2;
#else
    const clock_t start = clock();
    while (clock() - start < ticks) {
    }
    out[0] = __CUDA_ARCH__ >= 700 ? Timer().clock() : 0;
#endif
}

int main() {
    long long *out, host = 0;
    int khz = 0;
    cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
    cudaMalloc(&out, sizeof host);
    const clock_t start = clock();
    wait<<<1, 1>>>(khz, out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    const double seconds = double(clock() - start) / CLOCKS_PER_SEC;
    cudaFree(out);
    const bool right = host == 7 && side() == 3 && SIDE == 3 && seconds < 1;
    printf(right ? "PASS\n" : "FAIL %lld %d %g\n", host, side(), seconds);
    return !right;
}
