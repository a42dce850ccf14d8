// rounding.h: 丸めの向きを名前で言う演算と変換 (_rn 最近接, _rz 0 へ, _ru 上へ, _rd 下へ)。
// どれもちょうど 1 度だけ丸め、C++ コンパイラが隣の演算とまとめることもない。
#pragma once
#include <cfenv>
#include <cmath>
#include <limits>

#include "intrinsics.h"

namespace cpu {
template <class T> T opaque(T x) {  // ここで値を確定させる
#if defined(__x86_64__)
    if constexpr (std::is_floating_point<T>::value) asm volatile("" : "+x"(x)::"memory");
    else
#elif defined(__aarch64__)
    if constexpr (std::is_floating_point<T>::value) asm volatile("" : "+w"(x)::"memory");
    else
#endif
        asm volatile("" : "+r"(x)::"memory");
    return x;
}
template <int mode, class F> auto rounded(F f) {
    if (mode == FE_TONEAREST) return opaque(f());
    const int old = fegetround();
    fesetround(mode);
    const auto r = opaque(f());
    fesetround(old);
    return r;
}
// 範囲の外は、いちばん近い端の値。NaN は、32 ビット以下どうしなら 0、そうでなければ最上位のビットだけ
template <class To, class From> To toInteger(From x) {
    using Limits = std::numeric_limits<To>;
    if (x != x) return sizeof(To) <= 4 && sizeof(From) == 4 ? To(0) : To(To(1) << (sizeof(To) * 8 - 1));
    if (x <= From(Limits::min())) return Limits::min();
    return x >= From(Limits::max()) ? Limits::max() : To(x);
}
}  // namespace cpu

#define CPU_ROUND(mode, expression)   \
    return ::cpu::rounded<mode>([&] { \
        using ::cpu::opaque;          \
        return expression;            \
    })
#define CPU_REAL(T, p, fused, sqrt, suffix, mode)                                      \
    inline T __##p##add_##suffix(T a, T b) { CPU_ROUND(mode, opaque(a) + opaque(b)); } \
    inline T __##p##sub_##suffix(T a, T b) { CPU_ROUND(mode, opaque(a) - opaque(b)); } \
    inline T __##p##mul_##suffix(T a, T b) { CPU_ROUND(mode, opaque(a) * opaque(b)); } \
    inline T __##p##div_##suffix(T a, T b) { CPU_ROUND(mode, opaque(a) / opaque(b)); } \
    inline T __##p##rcp_##suffix(T a) { CPU_ROUND(mode, T(1) / opaque(a)); }           \
    inline T __##p##sqrt_##suffix(T a) { CPU_ROUND(mode, sqrt(opaque(a))); }           \
    inline T fused##_##suffix(T a, T b, T c) { CPU_ROUND(mode, std::fma(opaque(a), opaque(b), opaque(c))); }
#define CPU_FROM(T, To, name, suffix, mode) \
    inline To __##name##_##suffix(T x) { CPU_ROUND(mode, To(opaque(x))); }
#define CPU_INTEGER(T, To, name, suffix, whole) \
    inline To __##name##_##suffix(T x) { return ::cpu::toInteger<To>(std::whole(x)); }
#define CPU_DIRECTION(suffix, mode, whole)                           \
    CPU_REAL(float, f, __fmaf, sqrtf, suffix, mode)                  \
    CPU_REAL(double, d, __fma, std::sqrt, suffix, mode)              \
    CPU_FROM(double, float, double2float, suffix, mode)              \
    CPU_FROM(int, float, int2float, suffix, mode)                    \
    CPU_FROM(unsigned, float, uint2float, suffix, mode)              \
    CPU_FROM(long long, float, ll2float, suffix, mode)               \
    CPU_FROM(unsigned long long, float, ull2float, suffix, mode)     \
    CPU_FROM(long long, double, ll2double, suffix, mode)             \
    CPU_FROM(unsigned long long, double, ull2double, suffix, mode)   \
    CPU_INTEGER(float, int, float2int, suffix, whole)                \
    CPU_INTEGER(float, unsigned, float2uint, suffix, whole)          \
    CPU_INTEGER(float, long long, float2ll, suffix, whole)           \
    CPU_INTEGER(float, unsigned long long, float2ull, suffix, whole) \
    CPU_INTEGER(double, int, double2int, suffix, whole)              \
    CPU_INTEGER(double, unsigned, double2uint, suffix, whole)        \
    CPU_INTEGER(double, long long, double2ll, suffix, whole)         \
    CPU_INTEGER(double, unsigned long long, double2ull, suffix, whole)
CPU_DIRECTION(rn, FE_TONEAREST, nearbyint)
#ifndef __wasm__  // WebAssembly には、最近接しかない
CPU_DIRECTION(rz, FE_TOWARDZERO, trunc)
CPU_DIRECTION(ru, FE_UPWARD, ceil)
CPU_DIRECTION(rd, FE_DOWNWARD, floor)
#endif
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
inline float __frsqrt_rn(float x) { return float(1 / std::sqrt(double(x))); }
#undef CPU_ROUND
#undef CPU_REAL
#undef CPU_FROM
#undef CPU_INTEGER
#undef CPU_DIRECTION
