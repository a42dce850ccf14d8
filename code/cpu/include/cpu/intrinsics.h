// intrinsics.h: ビット、整数、読み書きの小さな関数。名前と意味は CUDA と同じ。
#pragma once
#include "launch.h"

// ---------------------------------------------------------------- 読み書き (キャッシュの使い方を指定するもの)
template <class T> T __ldca(const T* p) { return *p; }
template <class T> T __ldcg(const T* p) { return *p; }
template <class T> T __ldcs(const T* p) { return *p; }
#ifdef CPU_TOOL
namespace cpu {
void toolConstant(const void* p, void* pc);  // __ldg が読んだ
}
template <class T> CPU_NAMED T __ldg(const T* p) {
    CPU_TOUCH(p, false);
    cpu::toolConstant(p, CPU_CALLER);
    T v;
    memcpy(&v, p, sizeof(T));
    return v;
}
#else
template <class T> T __ldg(const T* p) { return *p; }
#endif
template <class T> T __ldlu(const T* p) { return *p; }
template <class T> T __ldcv(const T* p) { return *p; }
template <class T> void __stwb(T* p, typename std::common_type<T>::type v) { *p = v; }
template <class T> void __stwt(T* p, typename std::common_type<T>::type v) { *p = v; }
template <class T> void __stcg(T* p, typename std::common_type<T>::type v) { *p = v; }
template <class T> void __stcs(T* p, typename std::common_type<T>::type v) { *p = v; }

// ---------------------------------------------------------------- ビットを読み替える
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
inline int __double2hiint(double d) { return int(cpu::bitsOf<uint64_t>(d) >> 32); }
inline int __double2loint(double d) { return int(cpu::bitsOf<uint64_t>(d)); }
inline double __hiloint2double(int high, int low) {
    return cpu::bitsOf<double>(uint64_t(unsigned(high)) << 32 | unsigned(low));
}

// ---------------------------------------------------------------- ビットを数える、並べる
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev(unsigned(x)) << 32 | __brev(unsigned(x >> 32));
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned s) {
    return unsigned((uint64_t(high) << 32 | low) << (s & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned s) {
    return unsigned((uint64_t(high) << 32 | low) >> (s & 31));
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned s) {
    return s < 32 ? __funnelshift_l(low, high, s) : low;
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned s) {
    return s < 32 ? __funnelshift_r(low, high, s) : high;
}
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {  // 4 ビットずつが、8 つのどのバイトか
    unsigned v = 0;
    for (unsigned k = 0; k < 32; k += 8, selector >>= 4)
        v |= unsigned((uint64_t(high) << 32 | low) >> (selector & 7) * 8 & 0xff) << k;
    return v;
}

// ---------------------------------------------------------------- 整数
inline int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((uint64_t)a * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    const uint64_t low = uint64_t(unsigned(a)) * unsigned(b), middle = (a >> 32) * unsigned(b) + (low >> 32);
    return (a >> 32) * (b >> 32) + (middle >> 32) + ((uint64_t(unsigned(a)) * (b >> 32) + unsigned(middle)) >> 32);
}
inline long long __mul64hi(long long a, long long b) {
    return (long long)(__umul64hi(a, b) - (a < 0 ? b : 0ull) - (b < 0 ? a : 0ull));
}
inline int __mul24(int a, int b) { return int(((long long)a << 40 >> 40) * ((long long)b << 40 >> 40)); }
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
inline unsigned __sad(int a, int b, unsigned c) { return (a > b ? unsigned(a) - b : unsigned(b) - a) + c; }
inline int __hadd(int a, int b) { return int(((long long)a + b) >> 1); }  // 平均。r は切り上げ
inline int __rhadd(int a, int b) { return int(((long long)a + b + 1) >> 1); }
inline unsigned __uhadd(unsigned a, unsigned b) { return unsigned((uint64_t(a) + b) >> 1); }
inline unsigned __urhadd(unsigned a, unsigned b) { return unsigned((uint64_t(a) + b + 1) >> 1); }

// ---------------------------------------------------------------- そのほか
#define __nanosleep(nanoseconds) ::cpu::sleep(CPU_SITE, (nanoseconds))
CPU_PLAIN inline long long clock64() {  // ナノ秒
    cpu::polled((const void*)cpu::clockNow);
    return cpu::clockNow();
}
[[noreturn]] void __trap();
#define __assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#ifndef __clang__
#define __builtin_assume(condition) __assume(condition)
#endif
