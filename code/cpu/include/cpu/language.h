// language.h: CUDA C++ の言葉のうち、C++ にないもの。キーワードとベクトル型。
#pragma once
#include <cstddef>
#include <cstdint>

// code/cpu/tools/ の検査のためにコンパイルするとき (CPU_TOOL)、コンパイラはメモリに触れる前に呼び出しを入れる。
// CPU_PLAIN の関数には入れない。CPU_NAMED は、呼ばれた場所を知るために展開しない。
#if defined(__clang__)
#define CPU_PLAIN __attribute__((disable_sanitizer_instrumentation))
#else
#define CPU_PLAIN __attribute__((no_sanitize("thread")))
#endif
#ifdef __clang__
#define CPU_INSTRUMENTED __has_feature(thread_sanitizer)
#elif defined(__SANITIZE_THREAD__)
#define CPU_INSTRUMENTED 1
#else
#define CPU_INSTRUMENTED 0
#endif
#if defined(CPU_TOOL) && CPU_INSTRUMENTED
// カーネルの中の memcpy なども、触れる範囲を知らせてから動かす (code/cpu/tools/callbacks.h)
#ifdef __APPLE__
#define CPU_LIBRARY(name) asm("___tsan_" #name)
#else
#define CPU_LIBRARY(name) asm("__tsan_" #name)
#endif
extern "C" {
void* memcpy(void*, const void*, size_t) noexcept CPU_LIBRARY(memcpy);
void* memmove(void*, const void*, size_t) noexcept CPU_LIBRARY(memmove);
void* memset(void*, int, size_t) noexcept CPU_LIBRARY(memset);
}
#endif
#ifdef CPU_TOOL
#define CPU_NAMED CPU_PLAIN __attribute__((noinline))
#define __global__ __attribute__((noinline))  // 呼び出しを入れない側に展開させない
#else
#define CPU_NAMED CPU_PLAIN inline
#define __global__
#endif

#define __host__
#define __device__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define __shared__ static thread_local  // rewrite が書き換えないもの (関数の外、マクロの中) だけが、これになる

struct int3 { int x, y, z; };
struct uint3 { unsigned x, y, z; };
struct float3 { float x, y, z; };
struct alignas(8) int2 { int x, y; };
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(8) float2 { float x, y; };
#ifndef CPU_TOOL
struct alignas(16) int4 { int x, y, z, w; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
struct alignas(16) float4 { float x, y, z, w; };
#else
// GPU では 16 バイトを 1 度に読む。C++ コンパイラは 4 つに分けてしまうので、1 度の読み書きとして知らせる
namespace cpu {
void toolAccess(const void* p, unsigned bytes, bool write, void* pc);
}
#define CPU_VECTOR4(T, N)                                                 \
    struct alignas(16) N {                                                \
        T x, y, z, w;                                                     \
        N() = default;                                                    \
        CPU_PLAIN N(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}       \
        CPU_NAMED N(const N& o) { copy(o, __builtin_return_address(0)); } \
        CPU_NAMED N& operator=(const N& o) {                              \
            copy(o, __builtin_return_address(0));                         \
            return *this;                                                 \
        }                                                                 \
        CPU_PLAIN void copy(const N& o, void* pc) {                       \
            cpu::toolAccess(&o, 16, false, pc);                           \
            cpu::toolAccess(this, 16, true, pc);                          \
            x = o.x, y = o.y, z = o.z, w = o.w;                           \
        }                                                                 \
    }
CPU_VECTOR4(int, int4);
CPU_VECTOR4(unsigned, uint4);
CPU_VECTOR4(float, float4);
#endif
struct alignas(16) double2 { double x, y; };
struct alignas(16) longlong2 { long long x, y; };
inline int2 make_int2(int x, int y) { return {x, y}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline double2 make_double2(double x, double y) { return {x, y}; }
inline longlong2 make_longlong2(long long x, long long y) { return {x, y}; }
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};
