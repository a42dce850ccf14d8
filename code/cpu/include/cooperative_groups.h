// cooperative_groups.h: thread_block, thread_block_tile<32 以下>, coalesced_threads, grid_group を、
// バリアとワープの関数の上に作る。
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {
namespace details {
// 場所を 1 つの番地にする。同じ行からは、いつも同じ番地が返る
const cpu::Site* place(const char* file, int line);
}  // namespace details

struct thread_block {
    static unsigned thread_rank() { return cpu::here.lane; }
    static unsigned size() { return cpu::here.blockSize.x * cpu::here.blockSize.y * cpu::here.blockSize.z; }
    static unsigned num_threads() { return size(); }
    static dim3 group_index() { return cpu::here.block; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 dim_threads() { return cpu::here.blockSize; }
    static dim3 group_dim() { return cpu::here.blockSize; }
    static auto sync(CPU_HERE) { return cpu::barrier(details::place(file, line)); }
};
inline thread_block this_thread_block() { return {}; }

struct grid_group {
    static unsigned long long block_rank() {
        const auto& b = cpu::here.block;
        const auto& g = cpu::here.gridSize;
        return (uint64_t(b.z) * g.y + b.y) * g.x + b.x;
    }
    static unsigned long long num_blocks() {
        const auto& g = cpu::here.gridSize;
        return uint64_t(g.x) * g.y * g.z;
    }
    static unsigned long long thread_rank() { return block_rank() * thread_block::size() + cpu::here.lane; }
    static unsigned long long size() { return num_blocks() * thread_block::size(); }
    static unsigned long long num_threads() { return size(); }
    static bool is_valid() { return cpu::cooperativeLaunch(); }
    static auto sync(CPU_HERE) { return cpu::gridSync(details::place(file, line)); }
};
inline grid_group this_grid() { return {}; }

struct coalesced_group {  // 同じワープの、mask のレーンの組
    unsigned mask;
    unsigned rankOf(unsigned lane) const { return unsigned(__builtin_popcount(mask & ((1u << lane) - 1))); }
    unsigned laneOf(unsigned rank) const {
        unsigned m = mask;
        while (rank--) m &= m - 1;
        return m ? unsigned(__builtin_ctz(m)) : 32;
    }
    unsigned thread_rank() const { return rankOf(cpu::laneId()); }
    unsigned size() const { return unsigned(__builtin_popcount(mask)); }
    unsigned num_threads() const { return size(); }
    auto sync(CPU_HERE) const { return cpu::syncWarp(details::place(file, line), mask); }
    template <class T> auto shfl(T v, int from, CPU_HERE) const {
        return cpu::shuffle(details::place(file, line), mask, v, laneOf(unsigned(from) % size()));
    }
    template <class T> auto shfl_down(T v, unsigned d, CPU_HERE) const {
        const unsigned r = thread_rank() + d;
        return cpu::shuffle(details::place(file, line), mask, v, r < size() ? laneOf(r) : cpu::laneId());
    }
    template <class T> auto shfl_up(T v, unsigned d, CPU_HERE) const {
        const unsigned r = thread_rank();
        return cpu::shuffle(details::place(file, line), mask, v, r >= d ? laneOf(r - d) : cpu::laneId());
    }
    template <class T> auto shfl_xor(T v, unsigned x, CPU_HERE) const {
        const unsigned r = thread_rank() ^ x;
        return cpu::shuffle(details::place(file, line), mask, v, r < size() ? laneOf(r) : cpu::laneId());
    }
    unsigned ranksOf(unsigned lanes) const {
        unsigned ranks = 0;
        for (unsigned r = 0; r < size(); r++) ranks |= (lanes >> laneOf(r) & 1) << r;
        return ranks;
    }
    template <class Read> auto vote(int p, Read read, const char* file, int line) const {
        return cpu::warp({details::place(file, line), cpu::Op::ballot, mask, 0, p != 0, 0, cpu::kWord}, read);
    }
    auto ballot(int p, CPU_HERE) const {
        return vote(p, [g = *this](uint64_t lanes) { return g.ranksOf(unsigned(lanes)); }, file, line);
    }
    auto any(int p, CPU_HERE) const {
        return vote(p, [](uint64_t lanes) { return int(lanes != 0); }, file, line);
    }
    auto all(int p, CPU_HERE) const {
        return vote(!p, [](uint64_t lanes) { return int(lanes == 0); }, file, line);
    }
};
inline coalesced_group coalesced_threads() { return {cpu::activeMask()}; }

template <unsigned N, class Parent = void> struct thread_block_tile : coalesced_group {
    static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "タイルの大きさは 1, 2, 4, 8, 16, 32");
    thread_block_tile() : coalesced_group{0} {
        const unsigned first = cpu::here.lane / N * N, count = std::min(N, thread_block::size() - first);
        mask = (count == 32 ? ~0u : (1u << count) - 1) << first % 32;
    }
    unsigned meta_group_rank() const { return cpu::here.lane / N; }
    unsigned meta_group_size() const { return (thread_block::size() + N - 1) / N; }
};
template <unsigned N> thread_block_tile<N> tiled_partition(const thread_block&) { return {}; }
template <unsigned N, unsigned M, class P> thread_block_tile<N> tiled_partition(const thread_block_tile<M, P>&) {
    static_assert(N <= M, "タイルは、元のタイルより大きくできない");
    return {};
}
template <class Group> auto sync(const Group& g, CPU_HERE) { return g.sync(file, line); }

template <class T> struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
}  // namespace cooperative_groups
