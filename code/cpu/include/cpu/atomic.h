// atomic.h: アトミック演算 (本物。ブロックは複数の OS スレッドで動く) とフェンス。
#pragma once
#include "wait.h"

namespace cpu {
#ifdef CPU_TOOL
void toolAtomic(const void* p, unsigned bytes, const char* name, void* pc);
void toolFence(bool block);  // block: ブロックの中だけに知らせる
#define CPU_ATOMIC(name) ::cpu::toolAtomic(p, sizeof(*p), name, CPU_CALLER)
#else
#define CPU_ATOMIC(name)
inline void toolFence(bool) {}
#endif
template <class T> struct Same { typedef T type; };
template <class T> using same = typename Same<T>::type;  // 第 2 引数から型を推論しない
// ほかの人が書く前にした演算なら、そのときの値を old に入れる。値を変えない演算でなければ、話が合わない
#ifdef CPU_TOOL
template <class T, class F> CPU_PLAIN inline bool earlier(T& old, F f) {
    if (!here.early) return false;
    memcpy(&old, &here.earlier, sizeof(T));
    const T after = f(old);
    return here.early = memcmp(&old, &after, sizeof(T)) == 0;
}
#else
template <class T, class F> constexpr bool earlier(T&, F) { return false; }
#endif
template <class T, class F> CPU_PLAIN inline T update(T* p, F f) {
    T before;
    if (earlier(before, f)) return before;
    using Small = typename std::conditional<sizeof(T) == 1, unsigned char, unsigned short>::type;
    using Large = typename std::conditional<sizeof(T) == 4, unsigned, unsigned long long>::type;
    using Bits = typename std::conditional<sizeof(T) <= 2, Small, Large>::type;
    static_assert(sizeof(T) == sizeof(Bits), "アトミック演算は 1、2、4、8 バイト");
    Bits old = __atomic_load_n((Bits*)p, __ATOMIC_RELAXED), bits;
    for (;;) {
        memcpy(&before, &old, sizeof(T));
        const T after = f(before);
        memcpy(&bits, &after, sizeof(T));
        if (__atomic_compare_exchange_n((Bits*)p, &old, bits, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            if (bits == old) polled(p);
            return before;
        }
    }
}
// T は、並んだ型のどれかか。2 バイトの浮動小数点数は、double のあるもの (atomicAdd) にある
template <class F> struct Half;
template <class H> struct Half2;
template <class T> constexpr bool isHalf = false;
template <class F> constexpr bool isHalf<Half<F>> = true;
template <class H> constexpr bool isHalf<Half2<H>> = true;
template <class T, class... Types>
constexpr bool oneOf =
    (std::is_same<T, Types>::value || ...) || (isHalf<T> && (std::is_same<double, Types>::value || ...));
template <class T> CPU_PLAIN inline T add(T* p, T v) {
    if constexpr (std::is_integral<T>::value) {
        T old;
        if (v == 0 && earlier(old, [](T o) CPU_PLAIN { return o; })) return old;
        old = __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
        if (v == 0) polled(p);  // 値を見た後で: 譲っている間に変わった値は、次に見る
        return old;
    } else return update(p, [v](T o) CPU_PLAIN { return o + v; });
}
template <class T> CPU_PLAIN inline T compareAndSwap(T* p, T expected, T v) {
    T old;
    if (earlier(old, [=](T o) CPU_PLAIN { return o == expected ? v : o; })) return old;
    const T before = expected;
    if (!__atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) || v == before)
        polled(p);  // 同じ値を書いたのなら、見ただけである
    return expected;
}
}  // namespace cpu
// _block はブロックの中だけ、_system はホストも含めて、割り込まれない。後ろに並ぶのは、GPU にある型
#define CPU_OTHERWISE                                                                    \
    " である: 8 バイトの整数なら (unsigned long long*)p と直して渡し、float なら整数に " \
    "(__float_as_int) 読み替えて、atomicCAS をくり返す"
#define CPU_ATOMIC_OF(name, parameters, result, ...)                                                 \
    template <class T> CPU_NAMED T name parameters {                                                 \
        static_assert(!std::is_const<T>::value, "アトミック演算で、const のものは書き換えられない"); \
        static_assert(std::is_const<T>::value || cpu::oneOf<T, __VA_ARGS__>,                         \
                      "このアトミック演算があるのは " #__VA_ARGS__ CPU_OTHERWISE);                   \
        CPU_ATOMIC(#name);                                                                           \
        return result;                                                                               \
    }
#define CPU_ATOMICS(name, parameters, result, ...)               \
    CPU_ATOMIC_OF(name, parameters, result, __VA_ARGS__)         \
    CPU_ATOMIC_OF(name##_block, parameters, result, __VA_ARGS__) \
    CPU_ATOMIC_OF(name##_system, parameters, result, __VA_ARGS__)
#define CPU_OPERATION(value) cpu::update(p, [v]([[maybe_unused]] T o) CPU_PLAIN { return T(value); })
CPU_ATOMICS(atomicAdd, (T * p, cpu::same<T> v), cpu::add(p, v), int, unsigned, unsigned long long, float, double)
CPU_ATOMICS(atomicSub, (T * p, cpu::same<T> v), CPU_OPERATION(o - v), int, unsigned)
CPU_ATOMICS(atomicMin, (T * p, cpu::same<T> v), CPU_OPERATION(v < o ? v : o), int, unsigned, unsigned long long,
            long long)
CPU_ATOMICS(atomicMax, (T * p, cpu::same<T> v), CPU_OPERATION(v > o ? v : o), int, unsigned, unsigned long long,
            long long)
CPU_ATOMICS(atomicExch, (T * p, cpu::same<T> v), CPU_OPERATION(v), int, unsigned, unsigned long long, float)
CPU_ATOMICS(cpu_store_atomicExch, (T * p, cpu::same<T> v), CPU_OPERATION(v), int, unsigned, unsigned long long, float)
CPU_ATOMICS(atomicCAS, (T * p, cpu::same<T> expected, cpu::same<T> v), cpu::compareAndSwap(p, expected, v), int,
            unsigned, unsigned long long, unsigned short)
CPU_ATOMICS(atomicAnd, (T * p, cpu::same<T> v), CPU_OPERATION(o& v), int, unsigned, unsigned long long, long long)
CPU_ATOMICS(atomicOr, (T * p, cpu::same<T> v), CPU_OPERATION(o | v), int, unsigned, unsigned long long, long long)
CPU_ATOMICS(atomicXor, (T * p, cpu::same<T> v), CPU_OPERATION(o ^ v), int, unsigned, unsigned long long, long long)
CPU_ATOMICS(atomicInc, (T * p, cpu::same<T> v), CPU_OPERATION(o >= v ? 0 : o + 1), unsigned)
CPU_ATOMICS(atomicDec, (T * p, cpu::same<T> v), CPU_OPERATION(o == 0 || o > v ? v : o - 1), unsigned)
CPU_PLAIN inline void __threadfence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    cpu::toolFence(false);
}
CPU_PLAIN inline void __threadfence_block() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    cpu::toolFence(true);
}
CPU_PLAIN inline void __threadfence_system() { __threadfence(); }
