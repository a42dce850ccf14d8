// partition.h: 組を、実行時の大きさや値で分ける。1 人だけに仕事をさせる。
#pragma once

namespace cooperative_groups {
inline coalesced_group tiled_partition(const coalesced_group& g, unsigned n) {
    const unsigned tile = g.thread_rank() / n;
    unsigned mask = 0;
    for (unsigned r = tile * n; r < std::min((tile + 1) * n, g.size()); r++) mask |= 1u << g.laneOf(r);
    return coalesced_group(mask, tile, (g.size() + n - 1) / n);
}
inline thread_group tiled_partition(const thread_group& g, unsigned n) {
    if (g.kind == thread_group::lanes) return tiled_partition(coalesced_group(g.mask), n);
    if (g.kind != thread_group::block || n == 0 || n > 32 || n & (n - 1)) __trap();  // GPU でも止まる
    const unsigned all = thread_block::size(), first = cpu::here.lane / n * n, count = std::min(n, all - first);
    return {thread_group::lanes, (count == 32 ? ~0u : (1u << count) - 1) << first % 32, first / n, (all + n - 1) / n};
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
