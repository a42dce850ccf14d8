// simd.h: 1 つの unsigned を、2 バイトの整数 2 つか 1 バイトの整数 4 つとして計算する関数と、部分ごとの積の和。
#pragma once
#include <limits>

#include "vector.h"

namespace cpu {
// T の大きさの部分 x と y ごとの f(x, y)。はみ出したものは、clamps なら端の値に、そうでなければ下のビットだけにする
template <class T, bool clamps, class F> unsigned eachPart(unsigned a, unsigned b, F f) {
    using Limits = std::numeric_limits<T>;
    T x[4 / sizeof(T)], y[4 / sizeof(T)];
    memcpy(x, &a, 4);
    memcpy(y, &b, 4);
    for (size_t k = 0; k < 4 / sizeof(T); k++) {
        const int v = f(x[k], y[k]);
        x[k] = T(!clamps ? v : v < Limits::min() ? Limits::min() : v > Limits::max() ? Limits::max() : v);
    }
    memcpy(&a, x, 4);
    return a;
}
// c に、x の部分と y の部分 (skip 番目から) の積を足す
template <class X, class Y, class R, class A, class B> R dot(A a, B b, R c, int skip = 0) {
    X x[4 / sizeof(X)];
    Y y[4 / sizeof(Y)];
    memcpy(x, &a, 4);
    memcpy(y, &b, 4);
    for (size_t k = 0; k < 4 / sizeof(X); k++) c = R(unsigned(c) + unsigned(R(x[k]) * R(y[size_t(skip) + k])));
    return c;
}
}  // namespace cpu

// 名前の終わりの 2 と 4 は部分の数、その前の s は符号つき、u は符号なし、ss と us は端で止めるもの
#define CPU_EACH_OF(name, T, clamps, parameters, second, value)                                          \
    inline unsigned __v##name parameters {                                                               \
        return cpu::eachPart<T, clamps>(a, second, [](int x, [[maybe_unused]] int y) { return value; }); \
    }
#define CPU_EACH(name, Sign, clamps, value)                                      \
    CPU_EACH_OF(name##2, Sign short, clamps, (unsigned a, unsigned b), b, value) \
    CPU_EACH_OF(name##4, Sign char, clamps, (unsigned a, unsigned b), b, value)
#define CPU_EACH_ONE(name, clamps, value)                              \
    CPU_EACH_OF(name##2, signed short, clamps, (unsigned a), 0, value) \
    CPU_EACH_OF(name##4, signed char, clamps, (unsigned a), 0, value)
#define CPU_EACH_COMPARE(name, Sign, compare)        \
    CPU_EACH(cmp##name, Sign, false, -(x compare y)) \
    CPU_EACH(set##name, Sign, false, x compare y)
#define CPU_EACH_SUM(s, n, T, ones)                                                \
    inline unsigned __vsad##s##n(unsigned a, unsigned b) {                         \
        return cpu::dot<unsigned T, unsigned T>(__vabsdiff##s##n(a, b), ones, 0u); \
    }
#define CPU_EACH_SIGN(s, Sign)                                \
    CPU_EACH(max##s, Sign, false, x > y ? x : y)              \
    CPU_EACH(min##s, Sign, false, x < y ? x : y)              \
    CPU_EACH(absdiff##s, Sign, false, x > y ? x - y : y - x)  \
    CPU_EACH(avg##s, Sign, false, (x + y + (x + y > 0)) >> 1) \
    CPU_EACH_COMPARE(ge##s, Sign, >=)                         \
    CPU_EACH_COMPARE(gt##s, Sign, >)                          \
    CPU_EACH_COMPARE(le##s, Sign, <=)                         \
    CPU_EACH_COMPARE(lt##s, Sign, <)                          \
    CPU_EACH_SUM(s, 2, short, 0x10001u)                       \
    CPU_EACH_SUM(s, 4, char, 0x1010101u)
CPU_EACH_SIGN(s, signed)
CPU_EACH_SIGN(u, unsigned)
CPU_EACH_COMPARE(eq, unsigned, ==)
CPU_EACH_COMPARE(ne, unsigned, !=)
CPU_EACH(add, unsigned, false, x + y)
CPU_EACH(addss, signed, true, x + y)
CPU_EACH(addus, unsigned, true, x + y)
CPU_EACH(sub, unsigned, false, x - y)
CPU_EACH(subss, signed, true, x - y)
CPU_EACH(subus, unsigned, true, x - y)
CPU_EACH(haddu, unsigned, false, (x + y) >> 1)
CPU_EACH_ONE(abs, false, x < 0 ? -x : x)
CPU_EACH_ONE(absss, true, x < 0 ? -x : x)
CPU_EACH_ONE(neg, false, -x)
CPU_EACH_ONE(negss, true, -x)
#define CPU_DOT(R, Sign, Bytes, Halves)                                                             \
    inline R __dp4a(R a, R b, R c) { return cpu::dot<Sign char, Sign char>(a, b, c); }              \
    inline R __dp4a(Bytes a, Bytes b, R c) { return cpu::dot<Sign char, Sign char>(a, b, c); }      \
    inline R __dp2a_lo(R a, R b, R c) { return cpu::dot<Sign short, Sign char>(a, b, c); }          \
    inline R __dp2a_lo(Halves a, Bytes b, R c) { return cpu::dot<Sign short, Sign char>(a, b, c); } \
    inline R __dp2a_hi(R a, R b, R c) { return cpu::dot<Sign short, Sign char>(a, b, c, 2); }       \
    inline R __dp2a_hi(Halves a, Bytes b, R c) { return cpu::dot<Sign short, Sign char>(a, b, c, 2); }
CPU_DOT(int, signed, char4, short2)
CPU_DOT(unsigned, unsigned, uchar4, ushort2)
#undef CPU_EACH
#undef CPU_EACH_OF
#undef CPU_EACH_ONE
#undef CPU_EACH_COMPARE
#undef CPU_EACH_SIGN
#undef CPU_EACH_SUM
#undef CPU_DOT
