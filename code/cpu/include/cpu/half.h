// half.h: 2 バイトの浮動小数点数。__half (指数 5 桁、仮数 10 桁) と __nv_bfloat16 (8 桁、7 桁) の、共通の中身。
// 計算は double でして、最後に 1 度だけ丸める。名前は ../cuda_fp16.h と ../cuda_bf16.h が付ける。
#pragma once
#include "functions.h"

namespace cpu {
// 指数の桁数で決まる形式と、float や double との変換
template <int exponentBits> struct Format {
    static constexpr int fraction = 15 - exponentBits, lowest = 2 - (1 << (exponentBits - 1));  // 最小の指数
    static constexpr unsigned infinity = ((1u << exponentBits) - 1) << fraction;
    static float decode(unsigned short h) {
        const unsigned bits = (h & 0x7fffu) << (23 - fraction);
        const bool special = (h & infinity) == infinity;  // 無限大か NaN
        const float scaled = bitsOf<float>(bits) * bitsOf<float>(unsigned(255 - (1 << (exponentBits - 1))) << 23);
        const unsigned value = special ? bits | 0x7f800000u : bitsOf<unsigned>(scaled);
        return bitsOf<float>(value | (h & 0x8000u) << 16);
    }
    static unsigned short encode(double x) {  // いちばん近い数。ちょうど間なら、偶数の方
        const uint64_t bits = bitsOf<uint64_t>(x);
        const unsigned sign = unsigned(bits >> 63) << 15;
        if (!std::isfinite(x)) return (unsigned short)(x != x ? 0x7fff : sign | infinity);
        const int exponent = std::max(int(bits >> 52 & 0x7ff) - 1023, lowest);
        const double lastIsOne = std::fabs(x) * bitsOf<double>(uint64_t(1023 + fraction - exponent) << 52);
        const uint64_t size = uint64_t(std::nearbyint(lastIsOne)) + (uint64_t(exponent - lowest) << fraction);
        return (unsigned short)(sign | std::min<uint64_t>(size, infinity));
    }
};
// p + q。割り切れないときは、仮数の最後を奇数にする: もう 1 度丸めても、ちょうど 1 度丸めた値になる
inline double oddSum(double p, double q) {
    const double s = p + q, t = s - p, lost = (p - (s - t)) + (q - t);
    const uint64_t bits = bitsOf<uint64_t>(s);
    if (!std::isfinite(s) || lost == 0 || bits & 1) return s;
    return bitsOf<double>(bits + ((lost > 0) == (s > 0) ? 1 : -1));
}
template <class F> struct Half;
template <class F> float real(Half<F> x) { return x.value(); }

// 1 つの値の関数: 名前と、double での計算
#define CPU_HALF_ARITHMETIC(X) X(add, +, +=) X(sub, -, -=) X(mul, *, *=)
#define CPU_HALF_COMPARE(X) X(eq, ==) X(ne, !=) X(lt, <) X(le, <=) X(gt, >) X(ge, >=)
#define CPU_HALF_MATH(X)    \
    X(ceil, std::ceil)      \
    X(floor, std::floor)    \
    X(rint, std::nearbyint) \
    X(trunc, std::trunc)    \
    X(sqrt, std::sqrt)      \
    X(rsqrt, 1 / std::sqrt) \
    X(rcp, 1 /)             \
    X(exp, std::exp)        \
    X(exp2, std::exp2)      \
    X(exp10, ::exp10)       \
    X(log, std::log)        \
    X(log2, std::log2)      \
    X(log10, std::log10)    \
    X(sin, std::sin)        \
    X(cos, std::cos)        \
    X(tanh, std::tanh)
template <class F> struct Half {
    unsigned short bits;
    Half() = default;
    template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
    Half(T v) : bits(F::encode(double(v))) {}
    static Half of(unsigned bits) {
        Half h;
        h.bits = (unsigned short)bits;
        return h;
    }
    float value() const { return F::decode(bits); }
    operator float() const { return value(); }
    explicit operator double() const { return value(); }
    operator bool() const { return (bits & 0x7fff) != 0; }
    template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type> operator T() const {
        return toInteger<T>(std::trunc(value()));
    }

    friend bool __hisnan(Half a) { return (a.bits & 0x7fffu) > F::infinity; }
    friend Half __hneg(Half a) { return of(a.bits ^ 0x8000u); }
    friend Half __habs(Half a) { return of(a.bits & 0x7fffu); }
    friend Half __hfma(Half a, Half b, Half c) { return Half(oddSum(double(a.value()) * b.value(), c.value())); }
#define CPU_ARITHMETIC(name, op, assign)                                                           \
    friend Half __h##name(Half a, Half b) { return Half(double(a.value()) op double(b.value())); } \
    friend Half operator op(Half a, Half b) { return __h##name(a, b); }                            \
    friend Half& operator assign(Half& a, Half b) { return a = __h##name(a, b); }
    CPU_HALF_ARITHMETIC(CPU_ARITHMETIC)
    CPU_ARITHMETIC(div, /, /=)
#undef CPU_ARITHMETIC
    friend Half operator-(Half a) { return __hneg(a); }
// NaN とくらべると、関数はどれも偽。演算子は C++ と同じ (!= だけが真)
#define CPU_COMPARE(name, op)                                                                                \
    friend bool __h##name(Half a, Half b) { return a.value() op b.value() && !__hisnan(a) && !__hisnan(b); } \
    friend bool operator op(Half a, Half b) { return a.value() op b.value(); }
    CPU_HALF_COMPARE(CPU_COMPARE)
#undef CPU_COMPARE
    // 片方だけが NaN なら、もう片方。-0 は +0 より小さい
    friend Half __hmax(Half a, Half b) {
        if (__hisnan(a)) return __hisnan(b) ? of(0x7fff) : b;
        if (a.value() == b.value()) return a.bits >> 15 ? b : a;
        return b.value() > a.value() ? b : a;
    }
    friend Half __hmin(Half a, Half b) { return __hisnan(a) && __hisnan(b) ? of(0x7fff) : -__hmax(-a, -b); }
#define CPU_MATH(name, function) \
    friend Half h##name(Half a) { return Half(function(double(a.value()))); }
    CPU_HALF_MATH(CPU_MATH)
#undef CPU_MATH
};
}  // namespace cpu
