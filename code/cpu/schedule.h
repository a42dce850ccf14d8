// schedule.h: 1 つのブロックの中で、次に動くスレッドを決める。スレッドをどう止めてどう起こすか (fiber.cpp) は知らない。
//
// 決め方は 2 つある。
//   行進 (sweep): 全員が 0, 1, 2, … の順に同じ __syncthreads() に着く。番号を 1 つ進めるだけでよい。
//   ほとんどの場合はこれ。
//   一般 (general): 着く場所が分かれたとき、ワープの関数、途中で終わるスレッド。ワープごとにビットで管理する。
#pragma once
#include <atomic>

#include "device.h"
#include "tools/tool.h"

namespace cpu {
inline constexpr Site kExit{"", 0};  // カーネルの終わりも、全員が着く場所の 1 つ
constexpr unsigned kBlockFinished = ~0u;  // 次に動くスレッドはない: 全員が終わった

struct Warp {
    unsigned live, ready, atBarrier, atWarp, atActive, yielded;  // レーンのビット
    Request* request[32];
};
struct Schedule {
    unsigned threads, warps;
    bool general, oneDimension;
    const Site* sweep;  // 行進: ここに全員が順に着きつつある
    unsigned live, arrived;  // 一般: 生きている数、バリアに着いた数
    const Site* barrier;  // 一般: 最初の 1 人が着いたバリア
    bool diverged;  // 別のバリアに着いた者がいる
    std::atomic<unsigned> progress;  // 見張りのため: 進むたびに変わる
    std::atomic<bool> watched;  // 見張りが疑っている
    const Site* site[kMaxThreads];  // どこで眠っているか
    uint3 index[kMaxThreads];
    Warp warp[kMaxThreads / 32];
};
void beginSchedule(Schedule&, const dim3& block);  // 起動のたびに

// いまのスレッドが、そこに着いた (終わった、譲った)。次に動くスレッドを返す
inline unsigned arrive(Schedule&, const Site*);
inline unsigned arriveAtWarp(Schedule&, Request*);
unsigned arriveActive(Schedule&, Request*);  // 一緒に来るレーンを待つ (__activemask)
unsigned yieldThread(Schedule&, const Site*);

// ここから下は、schedule.h, schedule.cpp, warp.cpp の中だけで使う
unsigned arriveApart(Schedule&, unsigned t, const Site*);
unsigned sweepFinished(Schedule&, const Site*);
unsigned lastInWarp(Schedule&, Request*);
void leaveSweep(Schedule&, unsigned t);
bool tryWarp(Schedule&, unsigned warp, unsigned mask);  // warp.cpp: mask の生きている全員が着いたら、結果を配って起こす
void releaseActive(Warp&);  // warp.cpp: 同じ所に来たレーンを 1 組にして起こす

// 誰かが進んだ。見張りが疑っているときだけ、前と同じ状態に戻ったのなら進んだと数えない
bool returnedToState(const Site*);  // state.cpp
inline void countProgress(Schedule& s, const Site* site = nullptr) {
    if (__builtin_expect(site && s.watched.load(std::memory_order_relaxed), 0) && returnedToState(site)) return;
    s.progress.store(s.progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}
inline unsigned startSweep(Schedule& s) {  // 全員が起きていて、0 番から順に動く
    s.general = false;
    s.sweep = nullptr;
    return 0;
}
// このブロックで初めて誰かが待つ。より前のスレッドは、もう終わっている
inline void beginWaiting(Schedule& s, unsigned t) {
    s.general = false;
    s.sweep = t ? &kExit : nullptr;
}
inline void setCurrent(const Schedule& s, unsigned t) {
    here.lane = t;
    if (__builtin_expect(s.oneDimension, 1)) threadIdx.x = t;
    else threadIdx = s.index[t];
}
// 全員が順に同じ場所に着くなら、ここだけを通る
inline __attribute__((always_inline)) unsigned arrive(Schedule& s, const Site* site) {
    unsigned t = here.lane;
    if (__builtin_expect(site != s.sweep, 0)) {
        if (s.general || t != 0) return arriveApart(s, t, site);
        s.sweep = site;
    }
    if (__builtin_expect(++t < s.threads, 1)) return t;
    return sweepFinished(s, site);
}
inline unsigned arriveAtWarp(Schedule& s, Request* r) {
    const unsigned t = here.lane, bit = 1u << t % 32;
    if (__builtin_expect(!s.general, 0)) leaveSweep(s, t);
    Warp& q = s.warp[t / 32];
    s.site[t] = r->site;
    q.request[t % 32] = r;
    q.atWarp |= bit;
    q.ready &= ~bit;
    if (r->mask & bit && q.ready & bit << 1 & r->mask) return t + 1;  // 組の次のレーンがまだ来ていない
    return lastInWarp(s, r);
}
inline int lowest(unsigned bits) { return __builtin_ctz(bits); }
}  // namespace cpu
