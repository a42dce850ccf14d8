// 出力: PASS
// ホストとデバイスで違うもの: __CUDA_ARCH__ と clock()。古い GPU にない関数は、自分で書く
#include <cstdio>
#include <ctime>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *address, double val)
{
    unsigned long long int *address_as_ull = (unsigned long long int *)address;
    unsigned long long int old = *address_as_ull, assumed;
    do {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
#endif
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
__global__ void wait(long long ticks, long long* out, double* total) {
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
    atomicAdd(total, 0.5);
}

int main() {
    long long *out, host = 0;
    double *total, sum = 0;
    int khz = 0;
    cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&total, sizeof sum);
    cudaMemset(total, 0, sizeof sum);
    const clock_t start = clock();
    wait<<<1, 1>>>(khz, out, total);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
    const double seconds = double(clock() - start) / CLOCKS_PER_SEC;
    cudaFree(out);
    cudaFree(total);
    const bool right = host == 7 && side() == 3 && SIDE == 3 && sum == 0.5 && seconds < 1;
    printf(right ? "PASS\n" : "FAIL %lld %d %g\n", host, side(), seconds);
    return !right;
}
