// half2.h: 2 バイトの浮動小数点数 2 つの組 (__half2 と __nv_bfloat162)。どの関数も、x と y を別々に計算する。
#pragma once
#include "half.h"

namespace cpu {
template <class H> struct alignas(4) Half2 {
    H x, y;
    Half2() = default;
    Half2(H x, H y) : x(x), y(y) {}

    friend Half2 __hfma2(Half2 a, Half2 b, Half2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
    friend Half2 __hneg2(Half2 a) { return {__hneg(a.x), __hneg(a.y)}; }
    friend Half2 __habs2(Half2 a) { return {__habs(a.x), __habs(a.y)}; }
#define CPU_BOTH(name, one) \
    friend Half2 name(Half2 a, Half2 b) { return {one(a.x, b.x), one(a.y, b.y)}; }
#define CPU_ARITHMETIC(name, op, assign) \
    CPU_BOTH(__h##name##2, __h##name)    \
    CPU_BOTH(operator op, __h##name)     \
    friend Half2& operator assign(Half2& a, Half2 b) { return a = a op b; }
    CPU_HALF_ARITHMETIC(CPU_ARITHMETIC)
    CPU_BOTH(__h2div, __hdiv)
    CPU_BOTH(operator/, __hdiv)
    friend Half2& operator/=(Half2& a, Half2 b) { return a = a / b; }
    CPU_BOTH(__hmax2, __hmax)
    CPU_BOTH(__hmin2, __hmin)
    friend Half2 operator-(Half2 a) { return __hneg2(a); }
// 1.0 か 0.0 の組、両方とも真か (b の付くもの)
#define CPU_COMPARE(name, op)                                                                                \
    friend Half2 __h##name##2(Half2 a, Half2 b) { return {H(__h##name(a.x, b.x)), H(__h##name(a.y, b.y))}; } \
    friend bool __hb##name##2(Half2 a, Half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }       \
    friend bool operator op(Half2 a, Half2 b) { return a.x op b.x && a.y op b.y; }
    CPU_HALF_COMPARE(CPU_COMPARE)
#define CPU_MATH(name, function) \
    friend Half2 h2##name(Half2 a) { return {h##name(a.x), h##name(a.y)}; }
    CPU_HALF_MATH(CPU_MATH)
};
}  // namespace cpu

// ---------------------------------------------------------------- 形式の名前が入る関数
#define CPU_HALF_INTEGER(H, N, name, T)                \
    inline H __##name##2##N##_rn(T x) { return H(x); } \
    CPU_INTEGER(H, T, N##2##name)
#define CPU_HALF_NAMES(H, H2, N, N2)                                           \
    CPU_HALF_INTEGER(H, N, int, int)                                           \
    CPU_HALF_INTEGER(H, N, uint, unsigned)                                     \
    inline H __float2##N##_rn(float x) { return H(x); }                        \
    inline H __float2##N(float x) { return H(x); }                             \
    inline H __double2##N(double x) { return H(x); }                           \
    inline float __##N##2float(H x) { return x.value(); }                      \
    inline short __##N##_as_short(H x) { return short(x.bits); }               \
    inline unsigned short __##N##_as_ushort(H x) { return x.bits; }            \
    inline H __short_as_##N(short x) { return H::of((unsigned short)x); }      \
    inline H __ushort_as_##N(unsigned short x) { return H::of(x); }            \
    inline H2 make_##N2(H x, H y) { return {x, y}; }                           \
    inline H2 __##N##2##N2(H x) { return {x, x}; }                             \
    inline H2 __halves2##N2(H x, H y) { return {x, y}; }                       \
    inline H2 __float2##N2##_rn(float x) { return {H(x), H(x)}; }              \
    inline H2 __floats2##N2##_rn(float x, float y) { return {H(x), H(y)}; }    \
    inline H2 __float22##N2##_rn(float2 v) { return {H(v.x), H(v.y)}; }        \
    inline float2 __##N2##2float2(H2 v) { return {v.x.value(), v.y.value()}; } \
    inline H __low2##N(H2 v) { return v.x; }                                   \
    inline H __high2##N(H2 v) { return v.y; }                                  \
    inline H2 __low2##N2(H2 v) { return {v.x, v.x}; }                          \
    inline H2 __high2##N2(H2 v) { return {v.y, v.y}; }                         \
    inline H2 __lowhigh2highlow(H2 v) { return {v.y, v.x}; }                   \
    inline H2 __lows2##N2(H2 v, H2 w) { return {v.x, w.x}; }                   \
    inline H2 __highs2##N2(H2 v, H2 w) { return {v.y, w.y}; }                  \
    inline float __low2float(H2 v) { return v.x.value(); }                     \
    inline float __high2float(H2 v) { return v.y.value(); }
