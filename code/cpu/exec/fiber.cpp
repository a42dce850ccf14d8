// fiber.cpp: スレッドを眠らせ、起こす。どのスレッドを起こすかは schedule.cpp が決める。
//
// スレッドは、__syncthreads() に出会うまでは普通の関数呼び出しとして 1 つずつ最後まで動く (runBlocks)。
// 誰かが待つと、そこからはスレッドごとに別の続きを持ち、待つたびに次のスレッドへ移る (ファイバー)。
#include "exec.h"

namespace cpu {
// このブロックで初めて誰かが待った: ここからファイバー。今のスタックは、そのスレッドのものになる。他は新しい
static __attribute__((noinline)) void becomeFibers(Worker& w) {
    here.fibers = true;
    for (unsigned k = 0; k < w.threads; k++) w.sp[k] = freshThread(w, k);
    w.general = false;
    w.sweep = here.lane ? &kExit : nullptr;  // より前のスレッドは、もう終わっている
}
[[noreturn]] static __attribute__((noinline)) void failOutside(const Site* s) {
    stopProgram(
        "CPU デバイス: スレッドどうしで待てるのは、カーネルの中だけである\n  %s:%d: ホストのコードが待とうとした\n",
        s->file, s->line);
}
static inline __attribute__((always_inline)) void* resume(Worker& w, unsigned t) {  // スレッド t の続き
    __builtin_prefetch(w.sp[t + kAhead]);  // まもなく動くスレッドのスタックの先頭。先に読むと、1 割ほど速い
    setCurrent(w, t);
    return w.sp[t];
}
template <auto arrive, class A> static __attribute__((noinline)) void* sleep(A* a, const Site* site, void* sp) {
    if (!here.inKernel) failOutside(site);
    Worker& w = *self;
    if (!here.fibers) becomeFibers(w);
    w.sp[here.lane] = sp;
    unsigned t = arrive(w, a);
    if (t == kBlockFinished) {
        if (!takeBlock(w)) return w.home.from;
        t = startSweep(w);
    }
    return resume(w, t);
}
// ほとんどの場合は、次のスレッドが動く。それだけなら、関数を呼ばないので、レジスタをスタックに逃がさない
extern "C" {
__attribute__((used)) void* cpu_sleep_barrier(const Site* site, void* sp) {
    Worker* const w = self;
    const unsigned t = here.lane;
    if (!here.fibers || site != w->sweep || t + 1 >= w->threads) return sleep<arrive>(site, site, sp);
    w->sp[t] = sp;
    return resume(*w, t + 1);
}
__attribute__((used)) void* cpu_sleep_warp(Request* r, void* sp) {
    Worker* const w = self;
    const unsigned t = here.lane, next = 2u << t % 32;  // 次のレーン。終わりのレーンなら 0
    if (kInPage || !here.fibers || !w->general || !(r->mask & next >> 1) || !(r->mask & next & w->warp[t / 32].ready))
        return sleep<arriveAtWarp>(r, r->site, sp);
    settle(*w, t, r->site, &Warp::atWarp);
    w->warp[t / 32].request[t % 32] = r;
    w->sp[t] = sp;
    return resume(*w, t + 1);
}
__attribute__((used)) void* cpu_sleep_yield(const Site* site, void* sp) { return sleep<yieldThread>(site, site, sp); }
}
}  // namespace cpu
