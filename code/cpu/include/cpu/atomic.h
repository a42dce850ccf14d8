// atomic.h: アトミック演算 (本物。ブロックは複数の OS スレッドで動く) とフェンス。
#pragma once
#include <cstring>
#include <type_traits>

#include "vector.h"

namespace cpu {
#ifdef CPU_TOOL
void toolAtomic(const void* p, unsigned bytes, const char* name, void* pc);
void toolFence();
#define CPU_ATOMIC(name) ::cpu::toolAtomic(p, sizeof(*p), name, __builtin_return_address(0))
#else
#define CPU_ATOMIC(name)
inline void toolFence() {}
#endif
template <class T> struct Same { typedef T type; };
template <class T> using same = typename Same<T>::type;  // 第 2 引数から型を推論しない
template <class T, class F> CPU_PLAIN inline T update(T* p, F f) {
    using Bits = typename std::conditional<sizeof(T) == 8, unsigned long long, unsigned>::type;
    static_assert(sizeof(T) == sizeof(Bits), "アトミック演算は 4 バイトか 8 バイト");
    Bits old = __atomic_load_n((Bits*)p, __ATOMIC_RELAXED), bits;
    for (;;) {
        T before, after;
        memcpy(&before, &old, sizeof(T));
        after = f(before);
        memcpy(&bits, &after, sizeof(T));
        if (__atomic_compare_exchange_n((Bits*)p, &old, bits, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return before;
    }
}
}  // namespace cpu
template <class T> CPU_NAMED T atomicAdd(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicAdd");
    if constexpr (std::is_integral<T>::value) return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
    else return cpu::update(p, [v](T o) CPU_PLAIN { return o + v; });
}
template <class T> CPU_NAMED T atomicSub(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicSub");
    return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED);
}
template <class T> CPU_NAMED T atomicMin(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicMin");
    return cpu::update(p, [v](T o) CPU_PLAIN { return v < o ? v : o; });
}
template <class T> CPU_NAMED T atomicMax(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicMax");
    return cpu::update(p, [v](T o) CPU_PLAIN { return v > o ? v : o; });
}
template <class T> CPU_NAMED T atomicExch(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicExch");
    return cpu::update(p, [v](T) CPU_PLAIN { return v; });
}
template <class T> CPU_NAMED T atomicCAS(T* p, cpu::same<T> expected, cpu::same<T> v) {
    CPU_ATOMIC("atomicCAS");
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
template <class T> CPU_NAMED T atomicAnd(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicAnd");
    return __atomic_fetch_and(p, v, __ATOMIC_RELAXED);
}
template <class T> CPU_NAMED T atomicOr(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicOr");
    return __atomic_fetch_or(p, v, __ATOMIC_RELAXED);
}
template <class T> CPU_NAMED T atomicXor(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicXor");
    return __atomic_fetch_xor(p, v, __ATOMIC_RELAXED);
}
template <class T> CPU_NAMED T atomicInc(T* p, cpu::same<T> last) {
    CPU_ATOMIC("atomicInc");
    return cpu::update(p, [last](T o) CPU_PLAIN { return o >= last ? T(0) : T(o + 1); });
}
template <class T> CPU_NAMED T atomicDec(T* p, cpu::same<T> last) {
    CPU_ATOMIC("atomicDec");
    return cpu::update(p, [last](T o) CPU_PLAIN { return o == 0 || o > last ? last : T(o - 1); });
}
CPU_PLAIN inline void __threadfence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    cpu::toolFence();
}
CPU_PLAIN inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
CPU_PLAIN inline void __threadfence_system() { __threadfence(); }
