// lanes.h: 1 つのワープの中の組。coalesced_group と、32 以下のタイルの土台。
#pragma once

namespace cooperative_groups {
struct coalesced_group : thread_group {  // 同じワープの、mask のレーンの組
    explicit coalesced_group(unsigned m, unsigned rank = 0, unsigned groups = 1)
        : thread_group{lanes, m, rank, groups} {}
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
    template <class T> auto fromLane(const cpu::Site* s, T v, unsigned lane) const {
        if constexpr (sizeof(T) <= 8) return cpu::shuffle(s, mask, v, lane);
        else return largeFromLane(s, v, lane);
    }

    unsigned thread_rank() const { return rankOf(cpu::laneId()); }
    unsigned size() const { return unsigned(__builtin_popcount(mask)); }
    unsigned num_threads() const { return size(); }
    unsigned meta_group_rank() const { return metaRank; }
    unsigned meta_group_size() const { return metaSize; }
    auto sync(CPU_HERE) const { return cpu::syncWarp(details::place(file, line), mask); }
    template <class T> auto shfl(T v, int from, CPU_HERE) const {
        return fromLane(details::place(file, line), v, laneOf(unsigned(from) % size()));
    }
    template <class T> auto shfl_down(T v, unsigned d, CPU_HERE) const {
        const unsigned r = thread_rank() + d;
        return fromLane(details::place(file, line), v, r < size() ? laneOf(r) : cpu::laneId());
    }
    template <class T> auto shfl_up(T v, unsigned d, CPU_HERE) const {
        const unsigned r = thread_rank();
        return fromLane(details::place(file, line), v, r >= d ? laneOf(r - d) : cpu::laneId());
    }
    template <class T> auto shfl_xor(T v, unsigned x, CPU_HERE) const {
        const unsigned r = thread_rank() ^ x;
        return fromLane(details::place(file, line), v, r < size() ? laneOf(r) : cpu::laneId());
    }
    unsigned ballot(int p, CPU_HERE) const { return ranksOf(cpu::ballot(details::place(file, line), mask, p != 0)); }
    int any(int p, CPU_HERE) const { return (ballot(p, file, line)) != 0; }
    int all(int p, CPU_HERE) const { return (ballot(!p, file, line)) == 0; }
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
}  // namespace cooperative_groups
