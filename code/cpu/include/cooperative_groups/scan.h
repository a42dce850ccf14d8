// scan.h: cg::inclusive_scan と exclusive_scan。組の中の番号が自分より前の (か、自分までの) 値をまとめる。
#pragma once
#include "reduce.h"

namespace cooperative_groups {
template <class Group, class T, class Op> CPU_WAITS(T) inclusive_scan(const Group& g, T v, Op op, CPU_HERE) {
    for (unsigned d = 1; d < g.size(); d *= 2) {
        const T before = CPU_WAIT g.shfl_up(v, d, file, line);
        if (g.thread_rank() >= d) v = op(before, v);
    }
    CPU_RETURN v;
}
template <class Group, class T, class Op> CPU_WAITS(T) exclusive_scan(const Group& g, T v, Op op, CPU_HERE) {
    const T before = CPU_WAIT g.shfl_up(CPU_WAIT inclusive_scan(g, v, op, file, line), 1, file, line);
    CPU_RETURN g.thread_rank() == 0 ? T{} : before;
}
template <class Group, class T> CPU_WAITS(T) inclusive_scan(const Group& g, T v, CPU_HERE) {
    CPU_RETURN CPU_WAIT inclusive_scan(g, v, plus<T>(), file, line);
}
template <class Group, class T> CPU_WAITS(T) exclusive_scan(const Group& g, T v, CPU_HERE) {
    CPU_RETURN CPU_WAIT exclusive_scan(g, v, plus<T>(), file, line);
}
namespace details {  // 全員の合計を to に加え、加える前の値を全員に配る
template <class Group, class To, class T, class Op>
CPU_WAITS(T)
addTotal(const Group& g, To& to, T scanned, Op op, const char* file, int line) {
    T old{};
    if (g.thread_rank() == g.size() - 1) {
        old = to.load();
        while (!to.compare_exchange_weak(old, op(old, scanned))) {
        }
    }
    CPU_RETURN CPU_WAIT g.shfl(old, g.size() - 1, file, line);
}
}  // namespace details
template <class Group, class To, class T, class Op = plus<T>>
CPU_WAITS(T)
inclusive_scan_update(const Group& g, To& to, T v, Op op = {}, CPU_HERE) {
    const T scanned = CPU_WAIT inclusive_scan(g, v, op, file, line);
    CPU_RETURN op(CPU_WAIT details::addTotal(g, to, scanned, op, file, line), scanned);
}
template <class Group, class To, class T, class Op = plus<T>>
CPU_WAITS(T)
exclusive_scan_update(const Group& g, To& to, T v, Op op = {}, CPU_HERE) {
    const T scanned = CPU_WAIT inclusive_scan(g, v, op, file, line),
            before = CPU_WAIT g.shfl_up(scanned, 1, file, line);
    const T old = CPU_WAIT details::addTotal(g, to, scanned, op, file, line);
    CPU_RETURN g.thread_rank() == 0 ? old : op(old, before);
}
}  // namespace cooperative_groups
