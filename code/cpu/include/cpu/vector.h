// vector.h: ベクトル型 (char1 から double4 まで)、make_*、dim3。大きさと揃え方は CUDA と同じ。
#pragma once
#include <type_traits>

#include "language.h"

#ifdef CPU_TOOL
namespace cpu {
void toolAccess(const void* p, unsigned bytes, bool write, void* pc);
}
#define CPU_TOUCH(p, write) ::cpu::toolAccess(p, sizeof *(p), write, CPU_CALLER)
#else
#define CPU_TOUCH(p, write) (void)0
#endif

#if defined(CPU_TOOL) && defined(__clang__)
// clang++ は、そのまま写すだけの型の番地を調べない。参照で受けると、境界に揃っているかを呼ぶ側で調べる。
// nodebug: 報告の行は、写した所にする
#define CPU_COPY __attribute__((always_inline, nodebug)) constexpr
#define CPU_VECTOR2(N, T, align)                   \
    struct alignas(align) N {                      \
        T x, y;                                    \
        N() = default;                             \
        CPU_COPY N(T a, T b) : x(a), y(b) {}       \
        CPU_COPY N(const N& o) : x(o.x), y(o.y) {} \
        CPU_COPY N& operator=(const N& o) {        \
            x = o.x, y = o.y;                      \
            return *this;                          \
        }                                          \
    }
#else
#define CPU_VECTOR2(N, T, align) \
    struct alignas(align) N { T x, y; }
#endif
#define CPU_VECTOR(N, T, align1, align2, align4)                    \
    struct alignas(align1) N##1 { T x; };                           \
    CPU_VECTOR2(N##2, T, align2);                                   \
    struct N##3 { T x, y, z; };                                     \
    CPU_VECTOR4(N##4, T, align4);                                   \
    constexpr N##1 make_##N##1(T x) { return {x}; }                 \
    constexpr N##2 make_##N##2(T x, T y) { return {x, y}; }         \
    constexpr N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; } \
    inline N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }

#define CPU_VECTOR4(N, T, align) \
    struct alignas(align) N { T x, y, z, w; }
CPU_VECTOR(char, signed char, 1, 2, 4)
CPU_VECTOR(uchar, unsigned char, 1, 2, 4)
CPU_VECTOR(short, short, 2, 4, 8)
CPU_VECTOR(ushort, unsigned short, 2, 4, 8)
CPU_VECTOR(long, long, sizeof(long), 2 * sizeof(long), 16)
CPU_VECTOR(ulong, unsigned long, sizeof(long), 2 * sizeof(long), 16)
CPU_VECTOR(longlong, long long, 8, 16, 16)
CPU_VECTOR(ulonglong, unsigned long long, 8, 16, 16)
CPU_VECTOR(double, double, 8, 16, 16)

#ifdef CPU_TOOL
#undef CPU_VECTOR4
// GPU では 16 バイトを 1 度に読む。C++ コンパイラは 4 つに分けてしまうので、1 度の読み書きとして知らせる
#define CPU_VECTOR4(N, T, align)                                    \
    struct alignas(align) N {                                       \
        T x, y, z, w;                                               \
        N() = default;                                              \
        CPU_PLAIN N(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {} \
        CPU_NAMED N(const N& o) { copy(o, CPU_CALLER); }            \
        CPU_NAMED N& operator=(const N& o) {                        \
            copy(o, CPU_CALLER);                                    \
            return *this;                                           \
        }                                                           \
        CPU_PLAIN void copy(const N& o, void* pc) {                 \
            cpu::toolAccess(&o, 16, false, pc);                     \
            cpu::toolAccess(this, 16, true, pc);                    \
            x = o.x, y = o.y, z = o.z, w = o.w;                     \
        }                                                           \
    }
#endif
CPU_VECTOR(int, int, 4, 8, 16)
CPU_VECTOR(uint, unsigned, 4, 8, 16)
CPU_VECTOR(float, float, 4, 8, 16)
using uint = unsigned;  // Linux の見出しにはあるが、ページの中の見出しにはない
// 4 つの 1 バイトの整数どうしの積の和を、c に足す
#define CPU_DOT(R, Bytes)                                                                                       \
    inline R __dp4a(Bytes a, Bytes b, R c) {                                                                    \
        return R(unsigned(c) + unsigned(R(a.x) * b.x + R(a.y) * b.y + R(a.z) * b.z + R(a.w) * b.w));            \
    }                                                                                                           \
    inline R __dp4a(R a, R b, R c) {                                                                            \
        return __dp4a(make_##Bytes(a, a >> 8, a >> 16, a >> 24), make_##Bytes(b, b >> 8, b >> 16, b >> 24), c); \
    }
CPU_DOT(int, char4)
CPU_DOT(unsigned, uchar4)

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    template <class X, class Y = int, class Z = int, class = std::enable_if_t<std::is_convertible<X, unsigned>::value>>
    constexpr dim3(X x, Y y = 1, Z z = 1) : x(unsigned(x)), y(unsigned(y)), z(unsigned(z)) {}  // dim3{n, 1}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
