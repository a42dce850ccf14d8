// reduce.h: cg::reduce。組の全員の値を op でまとめ、全員に配る。
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {
template <class Group, class T, class Op> CPU_WAITS(T) reduce(const Group& g, T v, Op op, CPU_HERE) {
    unsigned half = 1;
    while (half * 2 < g.size()) half *= 2;
    for (; half > 0; half /= 2) {  // 人数が 2 のべき乗でなくてもよい: 後半にいる人だけが渡す
        const unsigned r = g.thread_rank();
        const T other = CPU_WAIT g.shfl_down(v, half, file, line);
        if (r < half && r + half < g.size()) v = op(v, other);
    }
    CPU_RETURN CPU_WAIT g.shfl(v, 0, file, line);
}
namespace details {
template <class To, class T, class Op> void updateAtomically(To& to, T v, Op op) {  // to は cuda::atomic か atomic_ref
    T old = to.load();
    while (!to.compare_exchange_weak(old, op(old, v))) {
    }
}
}  // namespace details
template <class Group, class To, class T, class Op>
CPU_WAITS(void)
reduce_update_async(const Group& g, To& to, T v, Op op, CPU_HERE) {
    v = CPU_WAIT reduce(g, v, op, file, line);
    if (g.thread_rank() == 0) details::updateAtomically(to, v, op);
}
template <class Group, class To, class T, class Op>
CPU_WAITS(void)
reduce_store_async(const Group& g, To& to, T v, Op op, CPU_HERE) {
    v = CPU_WAIT reduce(g, v, op, file, line);
    if (g.thread_rank() == 0) to.store(v);
}
template <class Group, class T, class Op> CPU_WAITS(void)
reduce_store_async(const Group& g, T* to, T v, Op op, CPU_HERE) {
    v = CPU_WAIT reduce(g, v, op, file, line);
    if (g.thread_rank() == 0) *to = v;
}
}  // namespace cooperative_groups
