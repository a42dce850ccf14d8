// warp.cpp: ワープの関数の結果。組の全員がそろったときに、まとめて求めて配る。
#include <algorithm>
#include <vector>

#include "cpu/warp.h"
#include "os.h"
#include "schedule.h"

namespace cpu {
static void noteAbsent(const Request& r, unsigned thread) {
    static Mutex mutex;
    static std::vector<const Site*> told;
    std::lock_guard<Mutex> lock(mutex);
    if (std::find(told.begin(), told.end(), r.site) != told.end()) return;
    told.push_back(r.site);
    report(
        "CPU デバイス: 注意: このシャッフルに加わっていないレーンを読んでいる: 値は決まらない (ここでは 0)\n"
        "  %s:%d: スレッド %u がレーン %u を読む\n",
        r.site->file, r.site->line, thread, r.from & 31);
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
            noteAbsent(r, warp * 32 + lowest(m));
            r.result = 0;
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
            failBlock("CPU デバイス: 同じワープのレーンが、別々のワープの関数か、別々のマスクで待っている");
    toolWarp(warp, group, first.op, q.request);
    warpResults(q, group, warp);
    q.atWarp &= ~group;
    q.ready |= group;
    return true;
}
CPU_WAITS(int) barrierCount(const Site* s, bool predicate) {  // バリアを 3 回使って数える
    static thread_local int count;
    CPU_WAIT barrier(s);
    count = 0;
    CPU_WAIT barrier(s);
    count += predicate;
    CPU_WAIT barrier(s);
    CPU_RETURN count;
}
unsigned activeMask() {  // 一緒に動いているレーンは分からない。CUDA も何も約束しない: 自分だけ
    return 1u << laneId();
}
}  // namespace cpu
