// 出力: sum 528, path 1, host path
#include <stdio.h>
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
__device__ int path(void) { return 1; }
#endif
__host__ __device__ const char *side(void)
{
#ifdef __CUDA_ARCH__
    return "device";
#else
    return "host";
#endif
}
__global__ void sum(double *total, int *which)
{
    atomicAdd(total, threadIdx.x + 1.0);
#if __CUDA_ARCH__ >= 700
    if (threadIdx.x == 0) *which = path();
#else
    if (threadIdx.x == 0) *which = -1;
#endif
}
int main(void)
{
    double *total, t;
    int *which, w;
    cudaMalloc(&total, sizeof t);
    cudaMalloc(&which, sizeof w);
    cudaMemset(total, 0, sizeof t);
    sum<<<1, 32>>>(total, which);
    cudaMemcpy(&t, total, sizeof t, cudaMemcpyDeviceToHost);
    cudaMemcpy(&w, which, sizeof w, cudaMemcpyDeviceToHost);
    printf("sum %g, path %d, %s path\n", t, w, side());
    cudaFree(total);
    cudaFree(which);
    return 0;
}
