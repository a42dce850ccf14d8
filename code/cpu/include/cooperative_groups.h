// cooperative_groups.h: 協調グループ。バリア (cpu/warp.h) とワープの関数の上に作る。
//   thread_block, grid_group (このファイル)
//   coalesced_group と 32 以下のタイル (details/lanes.h)、ワープをまたぐタイル (details/large.h)、
//   組を分けること (details/partition.h)
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {
namespace details {
using cpu::place;
struct Meeting {
    uint64_t block;  // どのブロックのものか
    unsigned arrived, round;
};
// ブロックのスレッドのうち、first から後ろの count 人が集まる所に着いた (最後の 1 人なら、round が進む)。離れる
Meeting& arrive(unsigned first, unsigned count);
void leave(const Meeting&);
CPU_PLAIN inline void meet(const cpu::Site* site, unsigned first, unsigned count) {
    const Meeting& m = arrive(first, count);
    if (m.arrived > 0)
        for (const unsigned round = m.round; m.round == round;) cpu::yield(site);
    leave(m);
}
inline unsigned long long blockRank() {
    const uint3& b = cpu::here.block;
    const dim3& g = cpu::here.gridSize;
    return (uint64_t(b.z) * g.y + b.y) * g.x + b.x;
}
}  // namespace details

struct thread_group {  // どの組でもよい引数のための型
    enum Kind { block, grid, lanes, large } kind;
    unsigned mask = 0;  // lanes: レーンの組
    unsigned metaRank = 0, metaSize = 1;  // 何番目の組か、組はいくつか
    unsigned first = 0, count = 0;  // large: ブロックの中の範囲

    unsigned long long size() const {
        const dim3 &b = cpu::here.blockSize, &g = cpu::here.gridSize;
        const unsigned long long threads = uint64_t(b.x) * b.y * b.z;
        if (kind == lanes) return unsigned(__builtin_popcount(mask));
        return kind == large ? count : kind == block ? threads : threads * g.x * g.y * g.z;
    }
    unsigned long long num_threads() const { return size(); }
    unsigned long long thread_rank() const {
        const dim3& t = cpu::here.blockSize;
        if (kind == lanes) return unsigned(__builtin_popcount(mask & ((1u << cpu::laneId()) - 1)));
        if (kind == grid) return details::blockRank() * t.x * t.y * t.z + cpu::here.lane;
        return cpu::here.lane - first;
    }
    void sync(CPU_HERE) const {
        const cpu::Site* s = details::place(file, line);
        if (kind == lanes) cpu::syncWarp(s, mask);
        else if (kind == large) details::meet(s, first, count);
        else if (kind == block) cpu::barrier(s);
        else cpu::gridSync(s);
    }
};

template <unsigned kMaxThreads = 1024> struct block_tile_memory {
    char bytes[(kMaxThreads + 31) / 32 * 8];  // GPU で使う場所。CPU デバイスは使わない
};
struct thread_block : thread_group {
    struct arrival_token {};
    thread_block() : thread_group{block} {}
    static unsigned thread_rank() { return cpu::here.lane; }
    static unsigned size() { return cpu::here.blockSize.x * cpu::here.blockSize.y * cpu::here.blockSize.z; }
    static unsigned num_threads() { return size(); }
    static dim3 group_index() { return cpu::here.block; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 dim_threads() { return cpu::here.blockSize; }
    static dim3 group_dim() { return cpu::here.blockSize; }
    static auto sync(CPU_HERE) { return cpu::barrier(details::place(file, line)); }
    static arrival_token barrier_arrive() { return {}; }
    static auto barrier_wait(arrival_token&&, CPU_HERE) { return sync(file, line); }
};
inline thread_block this_thread_block() { return {}; }
template <unsigned N> thread_block this_thread_block(block_tile_memory<N>&) { return {}; }

struct grid_group : thread_group {
    struct arrival_token {};
    grid_group() : thread_group{grid} {}
    static dim3 block_index() { return cpu::here.block; }
    static dim3 dim_blocks() { return cpu::here.gridSize; }
    static dim3 group_dim() { return cpu::here.gridSize; }
    static unsigned long long block_rank() { return details::blockRank(); }
    static unsigned long long num_blocks() {
        const auto& g = cpu::here.gridSize;
        return uint64_t(g.x) * g.y * g.z;
    }
    static unsigned long long thread_rank() { return block_rank() * thread_block::size() + cpu::here.lane; }
    static unsigned long long size() { return num_blocks() * thread_block::size(); }
    static unsigned long long num_threads() { return size(); }
    static bool is_valid() { return cpu::cooperativeLaunch(); }
    static auto sync(CPU_HERE) { return cpu::gridSync(details::place(file, line)); }
    static arrival_token barrier_arrive() { return {}; }
    static auto barrier_wait(arrival_token&&, CPU_HERE) { return sync(file, line); }
};
inline grid_group this_grid() { return {}; }

template <class Group> auto sync(const Group& g, CPU_HERE) { return g.sync(file, line); }
template <class Group> auto thread_rank(const Group& g) { return g.thread_rank(); }
template <class Group> auto group_size(const Group& g) { return g.num_threads(); }

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
#undef CPU_FUNCTOR
}  // namespace cooperative_groups

#include "cooperative_groups/details/lanes.h"
#include "cooperative_groups/details/large.h"
#include "cooperative_groups/details/partition.h"
