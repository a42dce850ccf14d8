// rounding.h: 丸めの向きを名前で言う演算 (_rn 最近接) と、整数への変換 (_rz 0 へ、_ru 上へ、_rd 下へ も)。
// どれもちょうど 1 度だけ丸め、C++ コンパイラが隣の演算とまとめることもない。最近接でない演算は、WebAssembly にない
#pragma once
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
inline float real(float x) { return x; }
inline double real(double x) { return x; }
// 範囲の外は、いちばん近い端の値。NaN は、32 ビット以下どうしなら 0、そうでなければ最上位のビットだけ
template <class To, class From> To toInteger(From x) {
    using Limits = std::numeric_limits<To>;
    if (x != x) return sizeof(To) <= 4 && sizeof(From) == 4 ? To(0) : To(To(1) << (sizeof(To) * 8 - 1));
    if (x <= From(Limits::min())) return Limits::min();
    return x >= From(Limits::max()) ? Limits::max() : To(x);
}
}  // namespace cpu

#define CPU_REAL(T, p, fused, sqrt)                                                           \
    inline T __##p##add_rn(T a, T b) { return cpu::opaque(cpu::opaque(a) + cpu::opaque(b)); } \
    inline T __##p##sub_rn(T a, T b) { return cpu::opaque(cpu::opaque(a) - cpu::opaque(b)); } \
    inline T __##p##mul_rn(T a, T b) { return cpu::opaque(cpu::opaque(a) * cpu::opaque(b)); } \
    inline T __##p##div_rn(T a, T b) { return cpu::opaque(a / b); }                           \
    inline T __##p##rcp_rn(T a) { return cpu::opaque(T(1) / a); }                             \
    inline T __##p##sqrt_rn(T a) { return cpu::opaque(sqrt(a)); }                             \
    inline T fused##_rn(T a, T b, T c) { return std::fma(a, b, c); }
CPU_REAL(float, f, __fmaf, sqrtf)
CPU_REAL(double, d, __fma, std::sqrt)
inline float __double2float_rn(double x) { return float(x); }
inline float __int2float_rn(int x) { return float(x); }
inline float __uint2float_rn(unsigned x) { return float(x); }
inline float __ll2float_rn(long long x) { return float(x); }
inline double __int2double_rn(int x) { return double(x); }
#define CPU_INTEGER(From, To, name)                                                                  \
    inline To __##name##_rn(From x) { return ::cpu::toInteger<To>(std::nearbyint(::cpu::real(x))); } \
    inline To __##name##_rz(From x) { return ::cpu::toInteger<To>(std::trunc(::cpu::real(x))); }     \
    inline To __##name##_ru(From x) { return ::cpu::toInteger<To>(std::ceil(::cpu::real(x))); }      \
    inline To __##name##_rd(From x) { return ::cpu::toInteger<To>(std::floor(::cpu::real(x))); }
CPU_INTEGER(float, int, float2int)
CPU_INTEGER(float, unsigned, float2uint)
CPU_INTEGER(float, long long, float2ll)
CPU_INTEGER(double, int, double2int)
CPU_INTEGER(double, unsigned, double2uint)
CPU_INTEGER(double, long long, double2ll)
inline float __frsqrt_rn(float x) { return float(1 / std::sqrt(double(x))); }
#undef CPU_REAL
