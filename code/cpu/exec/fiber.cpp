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
static inline Worker& sleepAt(const Site* s, void* sp) {
    if (__builtin_expect(!here.inKernel, 0)) failOutside(s);
    Worker& w = *self;
    if (__builtin_expect(!here.fibers, 0)) becomeFibers(w);
    w.sp[here.lane] = sp;
    return w;
}
static inline void* wake(Worker& w, unsigned t) {  // スレッド t の続き
    if (__builtin_expect(t == kBlockFinished, 0)) {
        if (!takeBlock(w)) return w.home.from;
        t = startSweep(w);
    }
    setCurrent(w, t);
    return w.sp[t];
}
extern "C" {
__attribute__((used)) void* cpu_sleep_barrier(const Site* site, void* sp) {
    Worker& w = sleepAt(site, sp);
    return wake(w, arrive(w, site));
}
__attribute__((used)) void* cpu_sleep_warp(Request* r, void* sp) {
    Worker& w = sleepAt(r->site, sp);
    return wake(w, arriveAtWarp(w, r));
}
__attribute__((used)) void* cpu_sleep_yield(const Site* site, void* sp) {
    Worker& w = sleepAt(site, sp);
    return wake(w, yieldThread(w, site));
}
}
}  // namespace cpu
