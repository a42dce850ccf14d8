// schedule.cpp: 次に動くスレッドの決め方のうち、全員が同じ所を通らないとき (一般) のこと。
#include "exec.h"

namespace cpu {
static unsigned pick(Schedule& s, unsigned from) {  // 次に動けるスレッド。同じワープの続きを先に
    const unsigned q = from / 32, after = ~1u << from % 32;
    if (s.warp[q].ready & after) return q * 32 + lowest(s.warp[q].ready & after);
    for (unsigned k = 0; k <= s.warps; k++) {
        const unsigned i = (q + k) % s.warps;
        if (!s.warp[i].ready && s.warp[i].atActive) releaseActive(s.warp[i]);
        if (s.warp[i].ready) return i * 32 + lowest(s.warp[i].ready);
    }
    for (unsigned k = 1; k <= s.warps; k++) {  // 動けるのは、譲ったスレッドだけ。ほかのワープを先に
        Warp& p = s.warp[(q + k) % s.warps];
        if (p.yielded) {
            handOver(s.site[from]);
            p.ready = p.yielded;
            p.yielded = 0;
            countProgress(s, s.site[from]);
            return (q + k) % s.warps * 32 + lowest(p.ready);
        }
    }
    failBlock("デッドロック: ブロックのどのスレッドも先へ進めない");
}
static unsigned releaseBarrier(Schedule& s) {  // 生きている全員がバリアに着いた
    if (s.diverged) failBlock("同じブロックのスレッドが、別々の __syncthreads() で待っている");
    s.arrived = 0;
    toolBarrier(s.barrier, s.live, s.threads);
    countProgress(s, s.barrier);
    if (s.live == s.threads) return startSweep(s);
    for (unsigned q = 0; q < s.warps; q++) s.warp[q].ready = s.warp[q].live, s.warp[q].atBarrier = 0;
    return pick(s, s.threads - 1);
}
static void arriveAtBarrier(Schedule& s, unsigned t, const Site* site) {
    settle(s, t, site, &Warp::atBarrier);
    if (s.arrived++ == 0) s.barrier = site;
    else if (s.barrier != site) s.diverged = true;
}
static void leaveSweep(Schedule& s, unsigned t) {  // 行進をやめ、ビットで管理する。t より前は s.sweep に着いている
    const Site* site = s.sweep;
    const unsigned first = site == &kExit ? t : 0;  // ここから後ろが生きていて、動ける
    s.general = true;
    s.sweep = nullptr;
    s.live = s.threads - first;
    s.arrived = 0;
    s.diverged = false;
    for (unsigned k = 0; k < s.threads; k += 32) {
        const unsigned lanes = firstLanes(s.threads - k) & ~(first <= k ? 0 : firstLanes(first - k));
        s.warp[k / 32] = {lanes, lanes, 0, 0, 0, 0, {}};
    }
    if (site == &kExit) return;
    for (unsigned k = 0; site && k < t; k++) arriveAtBarrier(s, k, site);
}
static unsigned finishThread(Schedule& s, unsigned t) {
    Warp& q = s.warp[t / 32];
    q.live &= ~(1u << t % 32);
    q.ready &= ~(1u << t % 32);
    s.live--;
    for (unsigned m = q.atWarp; m; m &= m - 1)  // 終わったレーンを待っていた組は、残りだけで進む
        if (tryWarp(s, t / 32, q.request[lowest(m)]->mask)) break;
    if (s.live == 0) return kBlockFinished;
    if (s.arrived == s.live) return releaseBarrier(s);
    return pick(s, t);
}
unsigned arrive(Schedule& s, const Site* site) {
    unsigned t = here.lane;
    if (!s.general && (site == s.sweep || t == 0)) {
        s.sweep = site;
        if (++t < s.threads) return t;
        if (site == &kExit) return kBlockFinished;
        toolBarrier(site, s.threads, s.threads);
        countProgress(s, site);
        return startSweep(s);
    }
    if (!s.general) leaveSweep(s, t);
    if (site == &kExit) return finishThread(s, t);
    arriveAtBarrier(s, t, site);
    return s.arrived == s.live ? releaseBarrier(s) : pick(s, t);
}
unsigned arriveAtWarp(Schedule& s, Request* r) {
    const unsigned t = here.lane, bit = 1u << t % 32;
    if (!s.general) leaveSweep(s, t);
    Warp& q = s.warp[t / 32];
    settle(s, t, r->site, r->op == Op::active ? &Warp::atActive : &Warp::atWarp);
    q.request[t % 32] = r;
    if (r->op == Op::active) return pick(s, t);  // 一緒に来るレーンを待つ
    if (!(r->mask & bit)) failBlock("ワープの関数を呼んだレーンが、自分のマスクに入っていない");
    if (!tryWarp(s, t / 32, r->mask)) return pick(s, t);
    countProgress(s, r->site);
    return t;
}
unsigned yieldThread(Schedule& s, const Site* site) {
    const unsigned t = here.lane;
    if (!s.general) leaveSweep(s, t);
    settle(s, t, site, &Warp::yielded);
    return pick(s, t);
}
void beginSchedule(Schedule& s, const dim3& block) {
    s.threads = block.x * block.y * block.z;
    s.warps = (s.threads + 31) / 32;
    s.oneDimension = block.y == 1 && block.z == 1;
    for (unsigned t = 0; t < s.threads; t++) s.index[t] = {t % block.x, t / block.x % block.y, t / block.x / block.y};
}
}  // namespace cpu
