// 出力: PASS
// 教材や見本が取り込むヘッダと、それらに入っているはずの名前。どれも nvcc が受け付ける
#include <builtin_types.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <driver_types.h>
#include <math_constants.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <cassert>
#include <cstdio>
#include <memory>

#define CHECK(call)                                                                                  \
    do {                                                                                             \
        const cudaError_t e = (call);                                                                \
        if (e != cudaSuccess) {                                                                      \
            printf("%s:%d %s %s\n", __FILE__, __LINE__, cudaGetErrorName(e), cudaGetErrorString(e)); \
            return 1;                                                                                \
        }                                                                                            \
    } while (0)
// ヘッダは、これらの印を見て、使う関数を決める
#if !defined(__CUDACC__) || !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || CUDART_VERSION < 13000
#error
#endif

inline __host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }
inline __host__ __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ int where() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 0;
#endif
}
template <class T> __noinline__ __device__ T twice(T x) { return x + x; }
union Bits {
    float4 f;
    uint4 u;
};

__global__ void kernel(float* out, const uchar4* __restrict__ pixels, int n) {
    const int i = threadIdx.x;
    assert(i < n);
#if __CUDA_ARCH__ >= 700
    const uchar4 p = __ldg(pixels + i);
    Bits b;
    b.u = make_uint4(__float_as_uint(1.0f), 0, 0, 0);
    const __half2 h = __hmul2(__floats2half2_rn(p.x, p.y), __float2half2_rn(0.5f));
    const __nv_bfloat16 w = __float2bfloat16(p.z);
    const double2 d = make_double2(__low2float(h), __high2float(h));
    const float3 v = make_float3(d.x, d.y, __bfloat162float(w)) + make_float3(lerp(0, 2, 0.5f), 0, 0);
    out[i] =
        twice(v.x + v.y + v.z) + b.f.x + rsqrtf(4.0f) + __fdividef(p.w, 1.0f) + abs(-0.5f) + max(0, where() - 2);
#else
    out[i] = pixels[i].x;
#endif
}

int main() {
    cudaDeviceProp prop{};
    int device = 0, count = 0, value = 0;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaSetDevice(device));
    CHECK(cudaGetDeviceProperties(&prop, device));
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeMode, device));
    bool right = count > 0 && value != cudaComputeModeProhibited;
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxBlockDimX, device));
    right &= value == prop.maxThreadsDim[0] && prop.totalConstMem == 65536;
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, device));
    right &= value == prop.multiProcessorCount;
    right &= cudaDeviceGetAttribute(&value, (cudaDeviceAttr)100000, device) == cudaErrorInvalidValue;
    right &= cudaSetDevice(-1) == cudaErrorInvalidDevice && cudaGetLastError() == cudaErrorInvalidDevice;
    CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    CHECK(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1));
    CHECK(cudaProfilerStart());

    const int n = 64;
    auto pixels = std::make_unique<uchar4[]>(n);
    for (int i = 0; i < n; i++) pixels[i] = make_uchar4(i, 2 * i, 3 * i, 1);
    uchar4* in;
    float* out;
    float host[n];
    CHECK(cudaMalloc(&in, n * sizeof(uchar4)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemcpy(in, pixels.get(), n * sizeof(uchar4), cudaMemcpyHostToDevice));
    kernel<<<1, n>>>(out, in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, out, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaProfilerStop());
    for (int i = 0; i < n; i++) {
        const float p = 2 * (i * 0.5f + 2 * i * 0.5f + 3 * i + 1) + 1 + 0.5f + 1 + 0.5f;
        if (host[i] != p) printf("%d: %g %g\n", i, host[i], p), right = false;
    }
    right &= CUDART_PI_F > 3.14f && where() == 0 && CUDA_SUCCESS == 0;
    const dim3 grid = make_uint3(1, 2, 3);
    right &= grid.z == 3;
    cudaFree(in);
    cudaFree(out);
    puts(right ? "PASS" : "FAIL");
    return !right;
}
