// reduce.h: cg::reduce。組の全員の値を op でまとめ、全員に配る。
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {
template <class Group, class T, class Op> T reduce(const Group& g, T v, Op op, CPU_HERE) {
    if (g.size() == 32) {  // 欠けたレーンのないワープ: 相手を探さなくてよい
        for (int half = 16; half > 0; half /= 2) v = op(v, g.shfl_down(v, half, file, line));
        return g.shfl(v, 0, file, line);
    }
    unsigned half = 1;
    while (half * 2 < g.size()) half *= 2;
    for (; half > 0; half /= 2) {  // 人数が 2 のべき乗でなくてもよい: 後半にいる人だけが渡す
        const unsigned r = g.thread_rank();
        const T other = g.shfl_down(v, half, file, line);
        if (r < half && r + half < g.size()) v = op(v, other);
    }
    return g.shfl(v, 0, file, line);
}
}  // namespace cooperative_groups
