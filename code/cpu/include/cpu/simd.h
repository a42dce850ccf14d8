// simd.h: 32 ビットを、8 ビット 4 つ (名前の終わりが 4) か 16 ビット 2 つ (2) と読む演算。s は符号つき、u は符号なし
#pragma once
#include <type_traits>

namespace cpu {
template <class T, class Operation> unsigned inParts(unsigned a, unsigned b, Operation operation) {
    using Bits = typename std::make_unsigned<T>::type;
    unsigned all = 0;
    for (unsigned s = 0; s < 32; s += 8 * sizeof(T)) all |= unsigned(Bits(operation(T(a >> s), T(b >> s)))) << s;
    return all;
}
template <class T> int saturated(int v) {
    constexpr int bits = 8 * sizeof(T), low = std::is_signed<T>::value ? -(1 << (bits - 1)) : 0;
    return v < low ? low : v > low + (1 << bits) - 1 ? low + (1 << bits) - 1 : v;
}
template <class T> unsigned sumOfDistances(unsigned a, unsigned b) {
    unsigned sum = 0;
    inParts<T>(a, b, [&](int x, int y) { return sum += unsigned(x > y ? x - y : y - x), 0; });
    return sum;
}
}  // namespace cpu

#define CPU_PARTS(name, T, count, ...)                                             \
    inline unsigned __v##name##count(unsigned a, unsigned b) {                     \
        using Part = T;                                                            \
        return cpu::inParts<Part>(a, b, [](int x, int y) { return __VA_ARGS__; }); \
    }
#define CPU_SIGNED(name, ...) CPU_PARTS(name, signed char, 4, __VA_ARGS__) CPU_PARTS(name, short, 2, __VA_ARGS__)
#define CPU_UNSIGNED(name, ...) \
    CPU_PARTS(name, unsigned char, 4, __VA_ARGS__) CPU_PARTS(name, unsigned short, 2, __VA_ARGS__)
#define CPU_COMPARED(name, KIND, operation) KIND(cmp##name, -(x operation y)) KIND(set##name, x operation y)
#define CPU_SIGNS(sign, KIND)                       \
    CPU_COMPARED(gt##sign, KIND, >)                 \
    CPU_COMPARED(ge##sign, KIND, >=)                \
    CPU_COMPARED(lt##sign, KIND, <)                 \
    CPU_COMPARED(le##sign, KIND, <=)                \
    KIND(max##sign, x > y ? x : y)                  \
    KIND(min##sign, x < y ? x : y)                  \
    KIND(add##sign##s, cpu::saturated<Part>(x + y)) \
    KIND(sub##sign##s, cpu::saturated<Part>(x - y)) \
    KIND(absdiff##sign, x > y ? x - y : y - x)      \
    KIND(avg##sign, (x + y + (x + y >= 0)) >> 1)
CPU_SIGNS(s, CPU_SIGNED)
CPU_SIGNS(u, CPU_UNSIGNED)
CPU_COMPARED(eq, CPU_UNSIGNED, ==)
CPU_COMPARED(ne, CPU_UNSIGNED, !=)
CPU_UNSIGNED(add, x + y)
CPU_UNSIGNED(sub, x - y)
CPU_UNSIGNED(haddu, (x + y) >> 1)
#define CPU_ALONE(count, Signed, Unsigned)                                                               \
    inline unsigned __vneg##count(unsigned a) { return __vsub##count(0, a); }                            \
    inline unsigned __vnegss##count(unsigned a) { return __vsubss##count(0, a); }                        \
    inline unsigned __vabs##count(unsigned a) { return __vabsdiffs##count(a, 0); }                       \
    inline unsigned __vabsss##count(unsigned a) { return __vmaxs##count(a, __vnegss##count(a)); }        \
    inline unsigned __vsads##count(unsigned a, unsigned b) { return cpu::sumOfDistances<Signed>(a, b); } \
    inline unsigned __vsadu##count(unsigned a, unsigned b) { return cpu::sumOfDistances<Unsigned>(a, b); }
CPU_ALONE(4, signed char, unsigned char)
CPU_ALONE(2, short, unsigned short)
