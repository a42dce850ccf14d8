// warp.h: __syncthreads() とワープの関数。
#pragma once
#include "atomic.h"

namespace cpu {
CPU_PLAIN inline int barrierCount(const Site* s, bool predicate) {  // バリアを 3 回使って数える
    static thread_local int count;
    barrier(s);
    count = 0;
    barrier(s);
    count += predicate;
    barrier(s);
    return count;
}
[[noreturn]] void notCooperative();
[[noreturn]] void beyondBounds();
inline void launchBounds(unsigned most, ...) {  // __launch_bounds__ を付けたカーネルの、初めに
    if (blockDim.x * blockDim.y * blockDim.z > most) beyondBounds();
}
#define CPU_LAUNCH_BOUNDS(...) ::cpu::launchBounds(__VA_ARGS__)
bool cooperativeLaunch();  // いまのカーネルは grid.sync() を使えるか
uint64_t arriveAtGrid();  // grid.cpp: このブロックが着いた。何回目の grid.sync() か
void leaveGrid(uint64_t round);
CPU_PLAIN inline void gridSync(const Site* s) {
    if (!cooperativeLaunch()) notCooperative();
    barrier(s);
    if (here.lane == 0) {
        const uint64_t round = arriveAtGrid();
        cpu_park_grid(&round);
        leaveGrid(round);
    }
    barrier(s);
}
CPU_PLAIN inline unsigned laneId() { return here.lane & 31; }
template <class T> CPU_PLAIN uint64_t toBits(T v) {
    static_assert(sizeof(T) <= 8, "シャッフルで渡せるのは 8 バイトまで");
    uint64_t bits = 0;
    memcpy(&bits, &v, sizeof(T));
    return bits;
}
template <class T> struct FromBits {
    CPU_PLAIN T operator()(uint64_t bits) const {
        T v;
        memcpy(&v, &bits, sizeof(T));
        return v;
    }
};
constexpr Element kWord = {4, false};
CPU_PLAIN inline auto syncWarp(const Site* s, unsigned mask) {
    return warp({s, Op::sync, mask, 0, 0, 0, kWord}, [](uint64_t) CPU_PLAIN {});
}
CPU_PLAIN constexpr unsigned maskOf(unsigned mask = ~0u) { return mask; }  // __syncwarp の引数は、省いてもよい
CPU_PLAIN inline auto ballot(const Site* s, unsigned mask, bool vote) {
    return warp({s, Op::ballot, mask, 0, vote, 0, kWord}, FromBits<unsigned>());
}
template <class T> CPU_PLAIN auto shuffle(const Site* s, unsigned mask, T v, unsigned from) {
    return warp({s, Op::shuffle, mask, from, toBits(v), 0, elementOf(&v)}, FromBits<T>());
}
[[noreturn]] void badWidth(const Site*, int width);
CPU_PLAIN inline void checkWidth(const Site* s, int width) {
    if (width < 1 || width > 32 || (width & (width - 1))) badWidth(s, width);
}
// width 個ずつの組の中で読む。組の外を指すレーンは自分の値を受け取る。begin と end は、自分の組の始めと終わり
#define CPU_SHUFFLE(name, Given, source)                                                              \
    template <class T> CPU_PLAIN auto name(const Site* s, unsigned m, T v, Given d, int width = 32) { \
        static_assert(std::is_arithmetic<T>::value || std::is_enum<T>::value || isHalf<T>,            \
                      "シャッフルで渡せるのは、1 つの数である: 構造体は、メンバを 1 つずつ渡す");     \
        checkWidth(s, width);                                                                         \
        const unsigned l = laneId(), begin = l & ~(width - 1), end = begin + width;                   \
        const unsigned from = source;                                                                 \
        return shuffle(s, m, v, from < end ? from : l);                                               \
    }
CPU_SHUFFLE(shfl, int, begin + (d & (width - 1)))
CPU_SHUFFLE(shflDown, unsigned, l + d)
CPU_SHUFFLE(shflUp, unsigned, l >= begin + d ? l - d : l)
CPU_SHUFFLE(shflXor, int, l ^ d)
#undef CPU_SHUFFLE
template <class T> CPU_PLAIN auto reduce(const Site* s, unsigned m, T v, Op ifSigned, Op ifUnsigned) {
    static_assert(std::is_integral<T>::value && sizeof(T) == 4, "int か unsigned だけ: float は __shfl_*_sync で足す");
    return warp({s, std::is_signed<T>::value ? ifSigned : ifUnsigned, m, 0, uint32_t(v), 0, kWord}, FromBits<T>());
}
template <class T> CPU_PLAIN auto matchAny(const Site* s, unsigned m, T v) {
    return warp({s, Op::match, m, 0, toBits(v), 0, kWord}, FromBits<unsigned>());
}
template <class T> CPU_PLAIN unsigned matchAll(const Site* s, unsigned m, T v, int* same) {
    const unsigned all = ballot(s, m, true);  // 終わっていないレーン
    *same = matchAny(s, m, v) == all;
    return *same ? all : 0;
}
}  // namespace cpu
#define __syncthreads_count(p) ::cpu::barrierCount(CPU_SITE, (p) != 0)
#define __syncthreads_or(p) (::cpu::barrierCount(CPU_SITE, (p) != 0) != 0)
#define __syncthreads_and(p) (::cpu::barrierCount(CPU_SITE, (p) == 0) == 0)
#define __syncwarp(...) (::cpu::syncWarp(CPU_SITE, ::cpu::maskOf(__VA_ARGS__)))
#define __shfl_sync(...) (::cpu::shfl(CPU_SITE, __VA_ARGS__))
#define __shfl_down_sync(...) (::cpu::shflDown(CPU_SITE, __VA_ARGS__))
#define __shfl_up_sync(...) (::cpu::shflUp(CPU_SITE, __VA_ARGS__))
#define __shfl_xor_sync(...) (::cpu::shflXor(CPU_SITE, __VA_ARGS__))
#define __ballot_sync(m, p) (::cpu::ballot(CPU_SITE, (m), (p) != 0))
#define __any_sync(m, p) int(::cpu::ballot(CPU_SITE, (m), (p) != 0) != 0)
#define __all_sync(m, p) int((::cpu::ballot(CPU_SITE, (m), (p) == 0)) == 0)
#define __match_any_sync(m, v) (::cpu::matchAny(CPU_SITE, (m), (v)))
#define __match_all_sync(m, v, same) (::cpu::matchAll(CPU_SITE, (m), (v), (same)))
#define __reduce_add_sync(m, v) (::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::addU, ::cpu::Op::addU))
#define __reduce_min_sync(m, v) (::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::minS, ::cpu::Op::minU))
#define __reduce_max_sync(m, v) (::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::maxS, ::cpu::Op::maxU))
#define __reduce_and_sync(m, v) (::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::andU, ::cpu::Op::andU))
#define __reduce_or_sync(m, v) (::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::orU, ::cpu::Op::orU))
#define __reduce_xor_sync(m, v) (::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::xorU, ::cpu::Op::xorU))
