// rounding.h: 丸めの向きを名前で言う演算と変換 (_rn 最近接、_rz 0 へ、_ru 上へ、_rd 下へ)。
// どれもちょうど 1 度だけ丸め、C++ コンパイラが隣の演算とまとめることもない。
// 最近接でない向きは、WebAssembly にはないので、最近接の値から直す
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
// 最近接の値 near を、d の向き (1 上、-1 下、0 は 0 へ) に直す。rest の符号は、正しい値から near を引いたものの符号
template <class T> T directed(T near, double rest, int d) {
    const bool moves = d > 0 ? rest > 0 : d < 0 ? rest < 0 : near > 0 ? rest < 0 : near < 0 && rest > 0;
    return moves ? std::nextafter(near, d ? T(d) * std::numeric_limits<T>::infinity() : T(0)) : near;
}
inline double restOfSum(double a, double b, double near) {
    const double s = a + b, v = s - a;
    return std::isinf(near) ? a / 2 + b / 2 - near : s != near ? s - near : (a - (s - v)) + (b - v);
}
constexpr long long kHalfRange = 1ll << 32;
constexpr double kTiny = 1e-200, kScale = 0x1p300;  // 小さな数は、残りも表せるように、大きくしてから計算する
inline double restOfProduct(double a, double b, double near) {
    if (near == 0) return a != 0 && b != 0 ? std::copysign(1, near) : 0;
    if (std::abs(near) < kTiny) (std::abs(a) < std::abs(b) ? a : b) *= kScale, near *= kScale;
    return std::fma(a, b, -near);
}
inline double restOfQuotient(double a, double b, double near) {
    if (near == 0) return a != 0 && !std::isinf(b) ? std::copysign(1, near) : 0;
    if (std::abs(a) < kTiny) a *= kScale, near *= kScale;
    return std::fma(-near, b, a) * std::copysign(1, b);
}
inline double restOfRoot(double a, double near) {
    const double k = a < kTiny ? kScale : 1;
    return std::fma(-near * k, near * k, a * k * k);
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
#define CPU_DIRECTED_1(name, r, way, T, From, rest) \
    inline T name##_##r(From a) {                   \
        const T v = name##_rn(a);                   \
        return cpu::directed(v, rest, way);         \
    }
#define CPU_DIRECTED_2(name, r, way, T, rest)    \
    inline T name##_##r(T a, T b) {              \
        const T v = name##_rn(a, b);             \
        return cpu::directed(v, cpu::rest, way); \
    }
#define CPU_DIRECTED(r, way, T, p)                                         \
    CPU_DIRECTED_2(__##p##add, r, way, T, restOfSum(a, b, v))              \
    CPU_DIRECTED_2(__##p##sub, r, way, T, restOfSum(a, -b, v))             \
    CPU_DIRECTED_2(__##p##mul, r, way, T, restOfProduct(a, b, v))          \
    CPU_DIRECTED_2(__##p##div, r, way, T, restOfQuotient(a, b, v))         \
    CPU_DIRECTED_1(__##p##rcp, r, way, T, T, cpu::restOfQuotient(1, a, v)) \
    CPU_DIRECTED_1(__##p##sqrt, r, way, T, T, cpu::restOfRoot(a, v))
inline float __double2float_rn(double x) { return float(x); }
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
#define CPU_DIRECTION(r, way)                                                           \
    CPU_DIRECTED(r, way, float, f)                                                      \
    CPU_DIRECTED(r, way, double, d)                                                     \
    CPU_DIRECTED_1(__double2float, r, way, float, double, a - v)                        \
    inline float __fmaf_##r(float a, float b, float c) {                                \
        const float v = __fmaf_rn(a, b, c);                                             \
        return cpu::directed(v, cpu::restOfSum(cpu::opaque(double(a) * b), c, v), way); \
    }
CPU_DIRECTION(rz, 0)
CPU_DIRECTION(ru, 1)
CPU_DIRECTION(rd, -1)
#define CPU_WHOLE(name, r, way, T, From)  \
    CPU_DIRECTED_1(name, r, way, T, From, \
                   cpu::restOfSum(double(a / cpu::kHalfRange) * cpu::kHalfRange, double(a % cpu::kHalfRange), v))
#define CPU_FROM(From, T, name)                 \
    inline T name##_rn(From x) { return T(x); } \
    CPU_WHOLE(name, rz, 0, T, From)             \
    CPU_WHOLE(name, ru, 1, T, From)             \
    CPU_WHOLE(name, rd, -1, T, From)
CPU_FROM(int, float, __int2float)
CPU_FROM(unsigned, float, __uint2float)
CPU_FROM(long long, float, __ll2float)
CPU_FROM(unsigned long long, float, __ull2float)
CPU_FROM(long long, double, __ll2double)
CPU_FROM(unsigned long long, double, __ull2double)
#define CPU_INTEGER(From, To, name)                                                                  \
    inline To __##name##_rn(From x) { return ::cpu::toInteger<To>(std::nearbyint(::cpu::real(x))); } \
    inline To __##name##_rz(From x) { return ::cpu::toInteger<To>(std::trunc(::cpu::real(x))); }     \
    inline To __##name##_ru(From x) { return ::cpu::toInteger<To>(std::ceil(::cpu::real(x))); }      \
    inline To __##name##_rd(From x) { return ::cpu::toInteger<To>(std::floor(::cpu::real(x))); }
CPU_INTEGER(float, int, float2int)
CPU_INTEGER(float, unsigned, float2uint)
CPU_INTEGER(float, long long, float2ll)
CPU_INTEGER(float, unsigned long long, float2ull)
CPU_INTEGER(double, int, double2int)
CPU_INTEGER(double, unsigned, double2uint)
CPU_INTEGER(double, long long, double2ll)
CPU_INTEGER(double, unsigned long long, double2ull)
inline float __frsqrt_rn(float x) { return float(1 / std::sqrt(double(x))); }
