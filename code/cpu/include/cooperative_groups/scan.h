// scan.h: cg::inclusive_scan と exclusive_scan。組の中の番号が自分より前の (か、自分までの) 値をまとめる。
#pragma once
#include "reduce.h"

namespace cooperative_groups {
template <class Group, class T, class Op> T inclusive_scan(const Group& g, T v, Op op, CPU_HERE) {
    for (unsigned d = 1; d < g.size(); d *= 2) {
        const T before = g.shfl_up(v, d, file, line);
        if (g.thread_rank() >= d) v = op(before, v);
    }
    return v;
}
template <class Group, class T, class Op> T exclusive_scan(const Group& g, T v, Op op, CPU_HERE) {
    const T before = g.shfl_up(inclusive_scan(g, v, op, file, line), 1, file, line);
    return g.thread_rank() == 0 ? T{} : before;
}
template <class Group, class T> T inclusive_scan(const Group& g, T v, CPU_HERE) {
    return inclusive_scan(g, v, plus<T>(), file, line);
}
template <class Group, class T> T exclusive_scan(const Group& g, T v, CPU_HERE) {
    return exclusive_scan(g, v, plus<T>(), file, line);
}
namespace details {  // 全員の合計を to に加え、加える前の値を全員に配る
template <class Group, class To, class T, class Op>
T addTotal(const Group& g, To& to, T scanned, Op op, const char* file, int line) {
    T old{};
    if (g.thread_rank() == g.size() - 1) {
        old = to.load();
        while (!to.compare_exchange_weak(old, op(old, scanned))) {
        }
    }
    return g.shfl(old, g.size() - 1, file, line);
}
}  // namespace details
template <class Group, class To, class T, class Op = plus<T>>
T inclusive_scan_update(const Group& g, To& to, T v, Op op = {}, CPU_HERE) {
    const T scanned = inclusive_scan(g, v, op, file, line);
    return op(details::addTotal(g, to, scanned, op, file, line), scanned);
}
template <class Group, class To, class T, class Op = plus<T>>
T exclusive_scan_update(const Group& g, To& to, T v, Op op = {}, CPU_HERE) {
    const T scanned = inclusive_scan(g, v, op, file, line), before = g.shfl_up(scanned, 1, file, line);
    const T old = details::addTotal(g, to, scanned, op, file, line);
    return g.thread_rank() == 0 ? old : op(old, before);
}
}  // namespace cooperative_groups
