// functions.h: 数学の関数のうち、C++ の標準ライブラリにないもの。float のものは double で求めて 1 度だけ丸める。
// __expf や __sinf などの速い版は、GPU では粗いが、ここでは普通の関数と同じ正確さである。
#pragma once
#include "rounding.h"

// ---------------------------------------------------------------- 小さい方、大きい方 (型の組は CUDA と同じ)
#define CPU_MIN_MAX(R, A, B)                                     \
    inline R min(A a, B b) { return (R)b < (R)a ? (R)b : (R)a; } \
    inline R max(A a, B b) { return (R)b > (R)a ? (R)b : (R)a; }
#define CPU_MIN_MAX_INTEGER(S)                      \
    CPU_MIN_MAX(S, S, S)                            \
    CPU_MIN_MAX(unsigned S, unsigned S, unsigned S) \
    CPU_MIN_MAX(unsigned S, S, unsigned S)          \
    CPU_MIN_MAX(unsigned S, unsigned S, S)
CPU_MIN_MAX_INTEGER(int)
CPU_MIN_MAX_INTEGER(long)
CPU_MIN_MAX_INTEGER(long long)
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(a, b); }
inline double max(float a, double b) { return fmax(a, b); }
inline double min(double a, float b) { return fmin(a, b); }
inline double max(double a, float b) { return fmax(a, b); }
inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }

// ---------------------------------------------------------------- 速い版
inline float __expf(float x) noexcept { return expf(x); }
inline float __logf(float x) noexcept { return logf(x); }
inline float __log2f(float x) noexcept { return log2f(x); }
inline float __log10f(float x) noexcept { return log10f(x); }
inline float __sinf(float x) noexcept { return sinf(x); }
inline float __cosf(float x) noexcept { return cosf(x); }
inline float __tanf(float x) noexcept { return tanf(x); }
inline float __tanhf(float x) noexcept { return tanhf(x); }
inline float __powf(float x, float y) noexcept { return powf(x, y); }
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }  // NaN は 0
inline float fdividef(float x, float y) { return x / y; }
inline float __fdividef(float x, float y) { return x / y; }
#ifdef __APPLE__  // __exp10f と __sincosf は、もうある
inline double exp10(double x) { return __exp10(x); }
inline float exp10f(float x) { return __exp10f(x); }
inline void sincos(double x, double* s, double* c) { *s = sin(x), *c = cos(x); }
inline void sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
#else
inline float __exp10f(float x) noexcept { return exp10f(x); }
inline void __sincosf(float x, float* s, float* c) noexcept { sincosf(x, s, c); }
#endif

#if !defined(__GLIBC__) || __GLIBC_MINOR__ < 42  // この版からは、C ライブラリにある
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline float rsqrtf(float x) { return float(1 / std::sqrt(double(x))); }
inline float rsqrt(float x) { return rsqrtf(x); }
#endif
