// scan.h: cg::inclusive_scan と exclusive_scan。組の中の番号が自分より前の (か、自分までの) 値をまとめる。
#pragma once
#include "reduce.h"

namespace cooperative_groups {
template <class Group, class T, class Op = plus<T>> T inclusive_scan(const Group& g, T v, Op op = {}, CPU_HERE) {
    for (unsigned d = 1; d < g.size(); d *= 2) {
        const T before = g.shfl_up(v, d, file, line);
        if (g.thread_rank() >= d) v = op(before, v);
    }
    return v;
}
template <class Group, class T, class Op = plus<T>> T exclusive_scan(const Group& g, T v, Op op = {}, CPU_HERE) {
    const T before = g.shfl_up(inclusive_scan(g, v, op, file, line), 1, file, line);
    return g.thread_rank() == 0 ? T{} : before;
}
}  // namespace cooperative_groups
