// cooperative_groups.h: 協調グループ。バリア (cpu/warp.h) とワープの関数の上に作る。
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {
namespace details {
using cpu::place;
constexpr unsigned kLargestValue = 64;  // ワープをまたぐ組の中で渡せる値の大きさ
char* exchange(unsigned thread);  // スレッド 1 つにつき、kLargestValue バイトの置き場
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
}  // namespace details

struct thread_group {  // どの組でもよい引数のための型
    enum Kind { block, grid, lanes, large } kind;
    unsigned mask = 0;  // lanes: レーンの組
    unsigned metaRank = 0, metaSize = 1;  // 何番目の組か、組はいくつか
    unsigned first = 0, count = 0;  // large: ブロックの中の範囲

    unsigned long long size() const;
    unsigned long long num_threads() const { return size(); }
    unsigned long long thread_rank() const;
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
    static unsigned long long block_rank() { return cpu::blockNumber(); }
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

inline unsigned long long thread_group::size() const {
    if (kind == lanes) return unsigned(__builtin_popcount(mask));
    return kind == large ? count : kind == block ? thread_block::size() : grid_group::size();
}
inline unsigned long long thread_group::thread_rank() const {
    if (kind == lanes) return unsigned(__builtin_popcount(mask & ((1u << cpu::laneId()) - 1)));
    return kind == grid ? grid_group::thread_rank() : cpu::here.lane - first;
}

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

// ---------------------------------------------------------------- 値を渡し合う組
// Self が size()、thread_rank()、any() と、番号 rank の者の値を受け取る from() を決める
template <class Self> struct member_group : thread_group {
    explicit member_group(const thread_group& g) : thread_group(g) {}
    const Self& self() const { return *static_cast<const Self*>(this); }
    unsigned num_threads() const { return self().size(); }
    unsigned meta_group_rank() const { return metaRank; }
    unsigned meta_group_size() const { return metaSize; }
    template <class T> auto shfl(T v, int rank, CPU_HERE) const {
        return self().from(details::place(file, line), v, unsigned(rank) % self().size());
    }
    template <class T> auto shfl_down(T v, unsigned d, CPU_HERE) const {
        const unsigned r = self().thread_rank();
        return self().from(details::place(file, line), v, r + d < self().size() ? r + d : r);
    }
    template <class T> auto shfl_up(T v, unsigned d, CPU_HERE) const {
        const unsigned r = self().thread_rank();
        return self().from(details::place(file, line), v, r >= d ? r - d : r);
    }
    template <class T> auto shfl_xor(T v, unsigned x, CPU_HERE) const {
        const unsigned r = self().thread_rank();
        return self().from(details::place(file, line), v, (r ^ x) < self().size() ? r ^ x : r);
    }
    int all(int p, CPU_HERE) const { return !(self().any(!p, file, line)); }
};
struct coalesced_group : member_group<coalesced_group> {  // 同じワープの、mask のレーンの組
    explicit coalesced_group(unsigned m, unsigned rank = 0, unsigned groups = 1)
        : member_group({lanes, m, rank, groups}) {}
    unsigned rankOf(unsigned lane) const { return unsigned(__builtin_popcount(mask & ((1u << lane) - 1))); }
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

    unsigned thread_rank() const { return rankOf(cpu::laneId()); }
    unsigned size() const { return unsigned(__builtin_popcount(mask)); }
    auto sync(CPU_HERE) const { return cpu::syncWarp(details::place(file, line), mask); }
    unsigned ballot(int p, CPU_HERE) const { return ranksOf(cpu::ballot(details::place(file, line), mask, p != 0)); }
    int any(int p, CPU_HERE) const { return (ballot(p, file, line)) != 0; }
    template <class T> unsigned match_any(T v, CPU_HERE) const {
        return ranksOf(cpu::matchAny(details::place(file, line), mask, v));
    }
    template <class T> unsigned match_all(T v, int& same, CPU_HERE) const {
        return ranksOf(cpu::matchAll(details::place(file, line), mask, v, &same));
    }
};
#ifndef __wasm__
// 一緒にここへ来たレーンの組。展開しないので、呼ばれた所ごとに戻り番地が違う
CPU_PLAIN __attribute__((noinline)) inline coalesced_group coalesced_threads(const void* caller =
                                                                                 __builtin_return_address(0),
                                                                             CPU_HERE) {
    const uintptr_t here = uintptr_t(__builtin_return_address(0)) * 7;
    return coalesced_group(cpu::activeMask(details::place(file, line), (const char*)caller + here));
}
#else
inline coalesced_group coalesced_threads(CPU_HERE) {
    return coalesced_group(cpu::activeMask(details::place(file, line)));
}
#endif

// ---------------------------------------------------------------- タイル
// 32 以下は 1 つのワープの中の組、64 以上はワープをまたぐ組
namespace details {
inline unsigned lanesFrom(unsigned first, unsigned n) {  // 番号 first から n 人 (ブロックの終わりまで) のレーン
    const unsigned count = std::min(n, thread_block::size() - first);
    return (count == 32 ? ~0u : (1u << count) - 1) << first % 32;
}
template <unsigned N> struct SmallTile : coalesced_group {
    SmallTile(unsigned rank, unsigned groups) : coalesced_group(lanesFrom(cpu::here.lane / N * N, N), rank, groups) {}
};
template <unsigned N> struct LargeTile : member_group<LargeTile<N>> {
    LargeTile(unsigned rank, unsigned groups)
        : member_group<LargeTile>({thread_group::large, 0, rank, groups, cpu::here.lane / N * N, N}) {}
    static unsigned size() { return N; }
    static unsigned thread_rank() { return cpu::here.lane % N; }
    auto sync(CPU_HERE) const { return meet(place(file, line), this->first, N); }
    template <class T> CPU_PLAIN T from(const cpu::Site* s, T v, unsigned rank) const {
        static_assert(sizeof(T) <= kLargestValue, "組の中で渡せる値は 64 バイトまで");
        memcpy(exchange(cpu::here.lane), (const void*)&v, sizeof(T));
        meet(s, this->first, N);
        memcpy((void*)&v, exchange(this->first + rank), sizeof(T));
        meet(s, this->first, N);
        return v;
    }
    CPU_PLAIN int any(int p, CPU_HERE) const {
        *(bool*)exchange(cpu::here.lane) = p != 0;
        sync(file, line);
        bool found = false;
        for (unsigned k = 0; k < N; k++) found |= *(const bool*)exchange(this->first + k);
        sync(file, line);
        return found;
    }
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

// ---------------------------------------------------------------- 組を、実行時の大きさや値で分ける
inline coalesced_group tiled_partition(const coalesced_group& g, unsigned n) {
    const unsigned tile = g.thread_rank() / n;
    unsigned mask = 0;
    for (unsigned r = tile * n; r < std::min((tile + 1) * n, g.size()); r++) mask |= 1u << g.laneOf(r);
    return coalesced_group(mask, tile, (g.size() + n - 1) / n);
}
inline thread_group tiled_partition(const thread_group& g, unsigned n) {
    if (g.kind == thread_group::lanes) return tiled_partition(coalesced_group(g.mask), n);
    if (g.kind != thread_group::block || n == 0 || n > 32 || n & (n - 1)) __trap();  // GPU でも止まる
    const unsigned mine = cpu::here.lane / n;
    return {thread_group::lanes, details::lanesFrom(mine * n, n), mine, (thread_block::size() + n - 1) / n};
}
template <class T> coalesced_group labeled_partition(const coalesced_group& g, T label, CPU_HERE) {
    const cpu::Site* s = details::place(file, line);
    const unsigned mine = cpu::matchAny(s, g.mask, label), leader = unsigned(__builtin_ctz(mine));
    const unsigned leaders = cpu::ballot(s, g.mask, leader == cpu::laneId());
    return coalesced_group(mine, unsigned(__builtin_popcount(leaders & ((1u << leader) - 1))),
                           unsigned(__builtin_popcount(leaders)));
}
inline coalesced_group binary_partition(const coalesced_group& g, bool p, CPU_HERE) {
    const unsigned yes = cpu::ballot(details::place(file, line), g.mask, p);
    return coalesced_group(p ? yes : g.mask & ~yes, p, 2);
}

template <class Group, class F, class... Args> void invoke_one(const Group& g, F&& f, Args&&... args) {
    if (g.thread_rank() == 0) f(std::forward<Args>(args)...);
}
template <class Group, class F, class... Args> auto invoke_one_broadcast(const Group& g, F&& f, Args&&... args) {
    typename std::decay<decltype(f(args...))>::type v{};
    if (g.thread_rank() == 0) v = f(std::forward<Args>(args)...);
    return g.shfl(v, 0);
}
}  // namespace cooperative_groups
