// warp.cpp: ワープの関数の結果。組の全員がそろったときに、まとめて求めて配る。
#include <algorithm>

#include "cpu/warp.h"
#include "exec.h"

namespace cpu {
void badWidth(const Site* s, int width) {
    failKernel(cudaErrorLaunchFailure, [&] {
        report("CPU デバイス: シャッフルの幅 %d は使えない: 1, 2, 4, 8, 16, 32 のどれかにする\n  %s:%d: %s\n", width,
               s->file, s->line, threadName().c_str());
    });
}
static void warpResults(Warp& q, unsigned group, unsigned warp) {
    const Op op = q.request[lowest(group)]->op;
    uint64_t all = 0;
    bool first = true;
    for (unsigned m = group; m; m &= m - 1) {
        Request& r = *q.request[lowest(m)];
        const uint32_t v = uint32_t(r.value), a = uint32_t(all);
        if (op == Op::shuffle) {
            if (group >> (r.from & 31) & 1) {
                r.result = q.request[r.from & 31]->value;
                continue;
            }
            r.result = toolAbsent(r, warp * 32 + lowest(m));
        } else if (op == Op::match) {
            r.result = 0;
            for (unsigned k = group; k; k &= k - 1)
                if (q.request[lowest(k)]->value == r.value) r.result |= 1u << lowest(k);
        } else if (op == Op::ballot) all |= uint64_t(v != 0) << lowest(m);
        else if (first) all = v, first = false;
        else switch (op) {
                case Op::addU: all = uint32_t(a + v); break;
                case Op::minS: all = uint32_t(std::min(int(a), int(v))); break;
                case Op::maxS: all = uint32_t(std::max(int(a), int(v))); break;
                case Op::minU: all = std::min(a, v); break;
                case Op::maxU: all = std::max(a, v); break;
                case Op::andU: all = a & v; break;
                case Op::orU: all = a | v; break;
                case Op::xorU: all = a ^ v; break;
                default: break;
            }
    }
    if (op != Op::shuffle && op != Op::match)
        for (unsigned m = group; m; m &= m - 1) q.request[lowest(m)]->result = all;
}
bool tryWarp(Schedule& s, unsigned warp, unsigned mask) {
    Warp& q = s.warp[warp];
    const unsigned group = mask & q.live;
    if (!group || (q.atWarp & group) != group) return false;
    const Request& first = *q.request[lowest(group)];
    for (unsigned m = group; m; m &= m - 1)
        if (q.request[lowest(m)]->op != first.op || q.request[lowest(m)]->mask != first.mask)
            failBlock("同じワープのレーンが、別々のワープの関数か、別々のマスクで待っている");
        else if (first.op != Op::sync && q.request[lowest(m)]->site != first.site)
            failBlock(
                "同じワープのレーンが、別々の所から同じワープの関数を呼んだ: "
                "組の全員が、同じ 1 つの呼び出しを通るようにする");
    toolWarp(warp, group, first.op, q.request);
    warpResults(q, group, warp);
    q.atWarp &= ~group;
    q.ready |= group;
    return true;
}
// 同じ所に来たレーンを 1 組にして起こす。全員がそろうとも、次もそろうとも限らないので、2 度目の検査では、1 人おき
void releaseActive(Warp& q) {
    const uint64_t place = q.request[lowest(q.atActive)]->value;
    unsigned group = 0, came = 0;
    for (unsigned m = q.atActive; m; m &= m - 1)
        if (q.request[lowest(m)]->value == place && !(came++ % 2 && looksBack && toolAttached()))
            group |= 1u << lowest(m);
    for (unsigned m = group; m; m &= m - 1) q.request[lowest(m)]->result = group;
    q.atActive &= ~group;
    q.ready |= group;
}
}  // namespace cpu
