// large.h: thread_block_tile。32 以下は 1 つのワープの中の組、64 以上はワープをまたぐ組。
#pragma once

namespace cooperative_groups {
namespace details {
constexpr unsigned kLargestValue = 64;  // 組の中で渡せる値の大きさ
char* exchange(unsigned thread);  // スレッド 1 つにつき、kLargestValue バイトの置き場

template <unsigned N> struct SmallTile : coalesced_group {
    SmallTile(unsigned rank, unsigned groups) : coalesced_group(0, rank, groups) {
        const unsigned first = cpu::here.lane / N * N, count = std::min(N, thread_block::size() - first);
        mask = (count == 32 ? ~0u : (1u << count) - 1) << first % 32;
    }
};
template <unsigned N> struct LargeTile : thread_group {
    LargeTile(unsigned rank, unsigned groups) : thread_group{large, 0, rank, groups, cpu::here.lane / N * N, N} {}
    static unsigned size() { return N; }
    static unsigned num_threads() { return N; }
    static unsigned thread_rank() { return cpu::here.lane % N; }
    unsigned meta_group_rank() const { return metaRank; }
    unsigned meta_group_size() const { return metaSize; }
    auto sync(CPU_HERE) const { return meet(place(file, line), first, N); }
    template <class T> CPU_PLAIN T shfl(T v, unsigned from, CPU_HERE) const {
        static_assert(sizeof(T) <= kLargestValue, "組の中で渡せる値は 64 バイトまで");
        memcpy(exchange(cpu::here.lane), (const void*)&v, sizeof(T));
        sync(file, line);
        memcpy((void*)&v, exchange(first + from % N), sizeof(T));
        sync(file, line);
        return v;
    }
    template <class T> auto shfl_down(T v, unsigned d, CPU_HERE) const {
        return shfl(v, thread_rank() + d < N ? thread_rank() + d : thread_rank(), file, line);
    }
    template <class T> auto shfl_up(T v, unsigned d, CPU_HERE) const {
        return shfl(v, thread_rank() >= d ? thread_rank() - d : thread_rank(), file, line);
    }
    CPU_PLAIN int any(int p, CPU_HERE) const {
        *(bool*)exchange(cpu::here.lane) = p != 0;
        sync(file, line);
        bool found = false;
        for (unsigned k = 0; k < N; k++) found |= *(const bool*)exchange(first + k);
        sync(file, line);
        return found;
    }
    int all(int p, CPU_HERE) const { return !(any(!p, file, line)); }
};
template <unsigned N> using Tile = typename std::conditional<(N > 32), LargeTile<N>, SmallTile<N>>::type;
}  // namespace details

template <unsigned N, class Parent = void> struct thread_block_tile : details::Tile<N> {
    static_assert(N >= 1 && N <= 1024 && (N & (N - 1)) == 0, "タイルの大きさは 1, 2, 4, …, 1024");
    thread_block_tile(const thread_block&) : details::Tile<N>(cpu::here.lane / N, (thread_block::size() + N - 1) / N) {}
    template <unsigned M, class P> thread_block_tile(const thread_block_tile<M, P>& t)
        : details::Tile<N>(N == M ? t.metaRank : cpu::here.lane % M / N, N == M ? t.metaSize : M / N) {
        static_assert(N <= M, "タイルは、元のタイルより大きくできない");
    }
    thread_block_tile(const thread_block_tile&) = default;
    thread_block_tile& operator=(const thread_block_tile&) = default;
};
template <unsigned N> thread_block_tile<N, thread_block> tiled_partition(const thread_block& g) { return g; }
template <unsigned N, unsigned M, class P>
thread_block_tile<N, thread_block_tile<M, P>> tiled_partition(const thread_block_tile<M, P>& g) {
    return g;
}
inline thread_block_tile<1> this_thread() { return this_thread_block(); }
}  // namespace cooperative_groups
