// warp.h: __syncthreads() とワープの関数。
#pragma once
#include <cstring>
#include <type_traits>

#include "wait.h"

namespace cpu {
int barrierCount(const Site*, bool predicate);
void gridSync(const Site*);
bool cooperativeLaunch();  // いまのカーネルは grid.sync() を使えるか
unsigned activeMask(const Site*, const void* caller);
CPU_PLAIN inline unsigned laneId() { return here.lane & 31; }
CPU_PLAIN inline void syncWarp(const Site* s, unsigned mask) { warp(s, Op::sync, mask, 0, 0); }
struct SyncWarp {  // 引数を省いてもよい
    const Site* site;
    CPU_PLAIN void operator()(unsigned mask = ~0u) const { syncWarp(site, mask); }
};
template <class T> CPU_PLAIN T shuffle(const Site* s, unsigned mask, T v, unsigned from) {
    static_assert(sizeof(T) <= 8, "シャッフルで渡せるのは 8 バイトまで");
    uint64_t bits = 0;
    memcpy(&bits, &v, sizeof(T));
    bits = warp(s, Op::shuffle, mask, from, bits, elementOf(&v));
    T r;
    memcpy(&r, &bits, sizeof(T));
    return r;
}
[[noreturn]] void badWidth(const Site*, int width);
CPU_PLAIN inline void checkWidth(const Site* s, int width) {
    if (width < 1 || width > 32 || (width & (width - 1))) badWidth(s, width);
}
// width 個ずつの組の中で読む。組の外を指すレーンは自分の値を受け取る。
template <class T> CPU_PLAIN T shfl(const Site* s, unsigned m, T v, int from, int width = 32) {
    checkWidth(s, width);
    return shuffle(s, m, v, (laneId() & ~(width - 1)) + (from & (width - 1)));
}
template <class T> CPU_PLAIN T shflDown(const Site* s, unsigned m, T v, unsigned d, int width = 32) {
    checkWidth(s, width);
    const unsigned l = laneId(), end = (l & ~(width - 1)) + width;
    return shuffle(s, m, v, l + d < end ? l + d : l);
}
template <class T> CPU_PLAIN T shflUp(const Site* s, unsigned m, T v, unsigned d, int width = 32) {
    checkWidth(s, width);
    const unsigned l = laneId(), begin = l & ~(width - 1);
    return shuffle(s, m, v, l >= begin + d ? l - d : l);
}
template <class T> CPU_PLAIN T shflXor(const Site* s, unsigned m, T v, int x, int width = 32) {
    checkWidth(s, width);
    const unsigned l = laneId(), end = (l & ~(width - 1)) + width;
    return shuffle(s, m, v, (l ^ x) < end ? l ^ x : l);
}
template <class T> CPU_PLAIN T reduce(const Site* s, unsigned m, T v, Op ifSigned, Op ifUnsigned) {
    static_assert(std::is_integral<T>::value && sizeof(T) == 4, "__reduce_*_sync は 32 ビット整数だけ");
    return T(uint32_t(warp(s, std::is_signed<T>::value ? ifSigned : ifUnsigned, m, 0, uint32_t(v))));
}
template <class T> CPU_PLAIN unsigned matchAny(const Site* s, unsigned m, T v) {
    uint64_t bits = 0;
    memcpy(&bits, &v, sizeof(T));
    return unsigned(warp(s, Op::match, m, 0, bits));
}
template <class T> CPU_PLAIN unsigned matchAll(const Site* s, unsigned m, T v, int* same) {
    const unsigned all = unsigned(warp(s, Op::ballot, m, 0, 1));  // 終わっていないレーン
    *same = matchAny(s, m, v) == all;
    return *same ? all : 0;
}
}  // namespace cpu
// 関数にすると、呼ぶ側の要らないレジスタまでスタックに残り、同じ状態に戻ったかが分からない (state.cpp)
#define __syncthreads() __extension__({ CPU_PARK("cpu_park_barrier", CPU_SITE); })
#define __syncthreads_count(p) ::cpu::barrierCount(CPU_SITE, (p) != 0)
#define __syncthreads_or(p) (::cpu::barrierCount(CPU_SITE, (p) != 0) != 0)
#define __syncthreads_and(p) (::cpu::barrierCount(CPU_SITE, (p) == 0) == 0)
#define __syncwarp(...) ::cpu::SyncWarp{CPU_SITE}(__VA_ARGS__)
#define __shfl_sync(...) ::cpu::shfl(CPU_SITE, __VA_ARGS__)
#define __shfl_down_sync(...) ::cpu::shflDown(CPU_SITE, __VA_ARGS__)
#define __shfl_up_sync(...) ::cpu::shflUp(CPU_SITE, __VA_ARGS__)
#define __shfl_xor_sync(...) ::cpu::shflXor(CPU_SITE, __VA_ARGS__)
#define __ballot_sync(m, p) unsigned(::cpu::warp(CPU_SITE, ::cpu::Op::ballot, (m), 0, (p) != 0))
#define __any_sync(m, p) int(::cpu::warp(CPU_SITE, ::cpu::Op::ballot, (m), 0, (p) != 0) != 0)
#define __all_sync(m, p) int(::cpu::warp(CPU_SITE, ::cpu::Op::ballot, (m), 0, (p) == 0) == 0)
#define __match_any_sync(m, v) ::cpu::matchAny(CPU_SITE, (m), (v))
#define __match_all_sync(m, v, same) ::cpu::matchAll(CPU_SITE, (m), (v), (same))
#define __activemask() ::cpu::activeMask(CPU_SITE, __builtin_return_address(0))
#define __reduce_add_sync(m, v) ::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::addU, ::cpu::Op::addU)
#define __reduce_min_sync(m, v) ::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::minS, ::cpu::Op::minU)
#define __reduce_max_sync(m, v) ::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::maxS, ::cpu::Op::maxU)
#define __reduce_and_sync(m, v) ::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::andU, ::cpu::Op::andU)
#define __reduce_or_sync(m, v) ::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::orU, ::cpu::Op::orU)
#define __reduce_xor_sync(m, v) ::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::xorU, ::cpu::Op::xorU)
