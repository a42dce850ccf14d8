// cooperative_groups.h: 協調グループ。バリアとワープの関数 (cpu/warp.h) の上に作る。
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {
namespace details {
inline unsigned blockSize() { return cpu::here.blockSize.x * cpu::here.blockSize.y * cpu::here.blockSize.z; }
inline unsigned long long blocks() {
    return uint64_t(cpu::here.gridSize.x) * cpu::here.gridSize.y * cpu::here.gridSize.z;
}
inline unsigned count(unsigned lanes) { return unsigned(__builtin_popcount(lanes)); }
inline unsigned rank(unsigned lanes) { return count(lanes & ((1u << cpu::laneId()) - 1)); }
}  // namespace details
struct thread_group {  // どの組でもよい引数のための型
    enum Kind { block, grid, lanes } kind;
    unsigned mask = 0;  // lanes: レーンの組
    unsigned metaRank = 0, metaSize = 1;  // 何番目の組か、組はいくつか

    unsigned long long size() const {
        return kind == lanes ? details::count(mask) : details::blockSize() * (kind == grid ? details::blocks() : 1);
    }
    unsigned long long num_threads() const { return size(); }
    unsigned long long thread_rank() const {
        if (kind == lanes) return details::rank(mask);
        return cpu::here.lane + (kind == grid ? cpu::blockNumber() * details::blockSize() : 0);
    }
    void sync(CPU_HERE) const {
        const cpu::Site* s = cpu::place(file, line);
        if (kind == lanes) cpu::syncWarp(s, mask);
        else if (kind == block) cpu::barrier(s);
        else cpu::gridSync(s);
    }
};

struct thread_block : thread_group {
    thread_block() : thread_group{block} {}
    static unsigned thread_rank() { return cpu::here.lane; }
    static unsigned size() { return details::blockSize(); }
    static unsigned num_threads() { return size(); }
    static dim3 group_index() { return cpu::here.block; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 dim_threads() { return cpu::here.blockSize; }
    static dim3 group_dim() { return cpu::here.blockSize; }
};
inline thread_block this_thread_block() { return {}; }

struct grid_group : thread_group {
    grid_group() : thread_group{grid} {}
    static dim3 block_index() { return cpu::here.block; }
    static dim3 dim_blocks() { return cpu::here.gridSize; }
    static dim3 group_dim() { return cpu::here.gridSize; }
    static unsigned long long block_rank() { return cpu::blockNumber(); }
    static unsigned long long num_blocks() { return details::blocks(); }
    static bool is_valid() { return cpu::cooperativeLaunch(); }
};
inline grid_group this_grid() { return {}; }

template <class Group> auto sync(const Group& g, CPU_HERE) { return g.sync(file, line); }

#define CPU_FUNCTOR(name, result)                       \
    template <class T> struct name {                    \
        T operator()(T a, T b) const { return result; } \
    };
CPU_FUNCTOR(plus, a + b)
CPU_FUNCTOR(less, b < a ? b : a)
CPU_FUNCTOR(greater, a < b ? b : a)
CPU_FUNCTOR(bit_and, a& b)
CPU_FUNCTOR(bit_or, a | b)
CPU_FUNCTOR(bit_xor, a ^ b)

// ---------------------------------------------------------------- 値を渡し合う組: 同じワープの、mask のレーン
struct coalesced_group : thread_group {
    explicit coalesced_group(unsigned m, unsigned rank = 0, unsigned groups = 1)
        : thread_group{lanes, m, rank, groups} {}
    unsigned laneOf(unsigned rank) const {
        unsigned m = mask;
        const unsigned first = m ? unsigned(__builtin_ctz(m)) : 32;
        if (m && !((m >> first) & ((m >> first) + 1))) return first + rank;  // 隣り合うレーンの組
        while (rank--) m &= m - 1;
        return m ? unsigned(__builtin_ctz(m)) : 32;
    }
    unsigned ranksOf(unsigned lanes) const {  // レーンのビットを、組の中の番号のビットに
        unsigned ranks = 0;
        for (unsigned r = 0; r < size(); r++) ranks |= (lanes >> laneOf(r) & 1) << r;
        return ranks;
    }
    template <class T> T largeFromLane(const cpu::Site* s, T v, unsigned lane) const {  // 8 バイトずつ
        uint64_t words[(sizeof(T) + 7) / 8];
        memcpy(words, &v, sizeof(T));
        for (auto& w : words) w = cpu::shuffle(s, mask, w, lane);
        memcpy((void*)&v, words, sizeof(T));
        return v;
    }
    template <class T> auto from(const cpu::Site* s, T v, unsigned rank) const {
        if constexpr (sizeof(T) <= 8) return cpu::shuffle(s, mask, v, laneOf(rank));
        else return largeFromLane(s, v, laneOf(rank));
    }

    unsigned thread_rank() const { return details::rank(mask); }
    unsigned size() const { return details::count(mask); }
    unsigned num_threads() const { return size(); }
    unsigned meta_group_rank() const { return metaRank; }
    unsigned meta_group_size() const { return metaSize; }
#define CPU_SHUFFLE(name, Given, source)                         \
    template <class T> auto name(T v, Given d, CPU_HERE) const { \
        [[maybe_unused]] const unsigned r = thread_rank();       \
        return from(cpu::place(file, line), v, source);          \
    }
    CPU_SHUFFLE(shfl, int, unsigned(d) % size())
    CPU_SHUFFLE(shfl_down, unsigned, r + d < size() ? r + d : r)
    CPU_SHUFFLE(shfl_up, unsigned, r >= d ? r - d : r)
    CPU_SHUFFLE(shfl_xor, unsigned, (r ^ d) < size() ? r ^ d : r)
    auto sync(CPU_HERE) const { return cpu::syncWarp(cpu::place(file, line), mask); }
    unsigned ballot(int p, CPU_HERE) const { return ranksOf(cpu::ballot(cpu::place(file, line), mask, p != 0)); }
    int any(int p, CPU_HERE) const { return (ballot(p, file, line)) != 0; }
    int all(int p, CPU_HERE) const { return !(any(!p, file, line)); }
    template <class T> unsigned match_any(T v, CPU_HERE) const {
        return ranksOf(cpu::matchAny(cpu::place(file, line), mask, v));
    }
};
#ifndef __wasm__
// 一緒にここへ来たレーンの組。展開しないので、呼ばれた所ごとに戻り番地が違う
CPU_PLAIN __attribute__((noinline)) inline coalesced_group coalesced_threads(const void* caller =
                                                                                 __builtin_return_address(0),
                                                                             CPU_HERE) {
    const uintptr_t here = uintptr_t(__builtin_return_address(0)) * 7;
    return coalesced_group(cpu::activeMask(cpu::place(file, line), (const char*)caller + here));
}
#else
inline coalesced_group coalesced_threads(CPU_HERE) { return coalesced_group(cpu::activeMask(cpu::place(file, line))); }
#endif

// ---------------------------------------------------------------- タイル
namespace details {
inline unsigned lanesFrom(unsigned first, unsigned n) {  // 番号 first から n 人 (ブロックの終わりまで) のレーン
    const unsigned count = std::min(n, thread_block::size() - first);
    return (count == 32 ? ~0u : (1u << count) - 1) << first % 32;
}
}  // namespace details
template <unsigned N, class Parent = void> struct thread_block_tile : coalesced_group {
    static_assert(N >= 1 && (N & (N - 1)) == 0, "タイルの大きさは 1, 2, 4, …, 32");
    static_assert(N <= 32,
                  "ワープをまたぐタイルは CPU デバイスにはない: 32 人までのタイルと、共有メモリと block.sync() で書く");
    thread_block_tile(const thread_block&)
        : thread_block_tile(cpu::here.lane / N, (thread_block::size() + N - 1) / N) {}
    template <unsigned M, class P> thread_block_tile(const thread_block_tile<M, P>& t)
        : thread_block_tile(N == M ? t.metaRank : cpu::here.lane % M / N, N == M ? t.metaSize : M / N) {
        static_assert(N <= M, "タイルは、元のタイルより大きくできない");
    }
    thread_block_tile(const thread_block_tile&) = default;
    thread_block_tile& operator=(const thread_block_tile&) = default;

 private:
    thread_block_tile(unsigned rank, unsigned groups)
        : coalesced_group(details::lanesFrom(cpu::here.lane / N * N, N), rank, groups) {}
};
template <unsigned N> thread_block_tile<N, thread_block> tiled_partition(const thread_block& g) { return g; }
template <unsigned N, unsigned M, class P>
thread_block_tile<N, thread_block_tile<M, P>> tiled_partition(const thread_block_tile<M, P>& g) {
    return g;
}

// ---------------------------------------------------------------- 組を、実行時の大きさや値で分ける
inline thread_group tiled_partition(const thread_group& g, unsigned n) {
    if (g.kind != thread_group::block || n == 0 || n > 32 || n & (n - 1)) __trap();  // GPU でも止まる
    const unsigned mine = cpu::here.lane / n;
    return {thread_group::lanes, details::lanesFrom(mine * n, n), mine, (thread_block::size() + n - 1) / n};
}
inline coalesced_group binary_partition(const coalesced_group& g, bool p, CPU_HERE) {
    const unsigned yes = cpu::ballot(cpu::place(file, line), g.mask, p);
    return coalesced_group(p ? yes : g.mask & ~yes, p, 2);
}
}  // namespace cooperative_groups
