// 出力: PASS
// __half と __nv_bfloat16: 組にして計算する、アトミックに足す、シャッフルで渡す
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

template <class T> __global__ void axpy(int n, T a, const T* x, T* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void dot(const half2* x, const half2* y, int n, float* out) {
    half2 sum = __float2half2_rn(0.0f);
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum = __hfma2(x[i], y[i], sum);
    half one = __hadd(__low2half(sum), __high2half(sum));
    for (int d = 16; d > 0; d /= 2) one += __shfl_down_sync(0xffffffff, one, d);
    if (threadIdx.x == 0) *out = __half2float(one);
}
__global__ void count(half2* pair, half* one, __nv_bfloat16* b) {
    atomicAdd(pair, __floats2half2_rn(1.0f, 2.0f));
    atomicAdd(one, __float2half(0.5f));
    atomicAdd(b, __float2bfloat16(1.0f));
}
template <class T> bool axpyIsRight() {
    const int n = 1000;
    std::vector<T> x(n), y(n), result(n);
    for (int i = 0; i < n; i++) x[i] = T(float(i % 16)), y[i] = T(1.0f);
    T *dx, *dy;
    cudaMalloc(&dx, n * sizeof(T));
    cudaMalloc(&dy, n * sizeof(T));
    cudaMemcpy(dx, x.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    axpy<<<(n + 255) / 256, 256>>>(n, T(2.0f), dx, dy);
    cudaMemcpy(result.data(), dy, n * sizeof(T), cudaMemcpyDeviceToHost);
    bool right = true;
    for (int i = 0; i < n; i++) right &= float(result[i]) == 2 * (i % 16) + 1;
    cudaFree(dx);
    cudaFree(dy);
    return right;
}

int main() {
    bool right = axpyIsRight<half>() && axpyIsRight<__nv_bfloat16>() && axpyIsRight<float>();
    half2 *x, *pair;
    half* one;
    __nv_bfloat16* b;
    float* out;
    const int n = 64;
    cudaMallocManaged(&x, n * sizeof(half2));
    cudaMallocManaged(&pair, sizeof(half2));
    cudaMallocManaged(&one, sizeof(half));
    cudaMallocManaged(&b, sizeof(__nv_bfloat16));
    cudaMallocManaged(&out, sizeof(float));
    for (int i = 0; i < n; i++) x[i] = __floats2half2_rn(1.0f, 0.5f);
    *pair = __floats2half2_rn(0.0f, 0.0f), *one = __float2half(0.0f), *b = __float2bfloat16(0.0f);
    dot<<<1, 32>>>(x, x, n, out);
    count<<<1, 100>>>(pair, one, b);
    cudaDeviceSynchronize();
    const float2 p = __half22float2(*pair);
    right &= *out == n * 1.25f && p.x == 100 && p.y == 200 && __half2float(*one) == 50 && __bfloat162float(*b) == 100;
    for (void* q : {(void*)x, (void*)pair, (void*)one, (void*)b, (void*)out}) cudaFree(q);
    puts(right ? "PASS" : "FAIL");
    return !right;
}
