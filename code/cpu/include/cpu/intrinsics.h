// intrinsics.h: カーネルで使う小さな関数。
#pragma once
#include <cmath>
#include <cstring>

#include "wait.h"

template <class T> T __ldg(const T* p) { return *p; }
template <class T> T __ldcs(const T* p) { return *p; }
template <class T> T __ldcg(const T* p) { return *p; }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
inline int __ffs(int x) { return __builtin_ffs(x); }
namespace cpu {
template <class To, class From> To bitsOf(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
}  // namespace cpu
inline int __float_as_int(float f) { return cpu::bitsOf<int>(f); }
inline float __int_as_float(int i) { return cpu::bitsOf<float>(i); }
inline unsigned __float_as_uint(float f) { return cpu::bitsOf<unsigned>(f); }
inline float __uint_as_float(unsigned u) { return cpu::bitsOf<float>(u); }
inline long long __double_as_longlong(double f) { return cpu::bitsOf<long long>(f); }
inline double __longlong_as_double(long long i) { return cpu::bitsOf<double>(i); }
#define __nanosleep(ns) ((void)(ns), CPU_WAIT ::cpu::yield())
long long clock64();
[[noreturn]] void __trap();
inline int min(int a, int b) { return b < a ? b : a; }
inline int max(int a, int b) { return b > a ? b : a; }
inline unsigned min(unsigned a, unsigned b) { return b < a ? b : a; }
inline unsigned max(unsigned a, unsigned b) { return b > a ? b : a; }
inline long long min(long long a, long long b) { return b < a ? b : a; }
inline long long max(long long a, long long b) { return b > a ? b : a; }
inline float min(float a, float b) { return std::fmin(a, b); }
inline float max(float a, float b) { return std::fmax(a, b); }
inline double min(double a, double b) { return std::fmin(a, b); }
inline double max(double a, double b) { return std::fmax(a, b); }
