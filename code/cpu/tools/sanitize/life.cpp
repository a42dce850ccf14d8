// life.cpp: 起動とブロックの始まりと終わり、バリア。実行の部品 (tool.h) が知らせることを、順序と検査のそれぞれに渡す。
#include "sanitize.h"

namespace cpu {
void toolLaunchBegin(const Launch& l, unsigned workers) {
    if (now > 1u << 31) forgetTimes(), now = 2;
    toolWorkSite(*l.site, l.name);
    beginOrder();
    placeArrays(workers);
    for (auto& a : arrays)
        if (memoryOf(a.p) == Memory::managedVariable) toolArgument(l, a.p);
    rememberArrays();
    clockRead = false;
}
void toolLaunchEnd() {
    reveal();
    settle();
    endOrder();
    findRest();
    compareTrials();
    findWritten();
}
void toolBlockBegin(uint64_t b) {
    enterBlock(b);
    std::fill_n(here.leftEarly, 32, 0u);
}
void toolBarrier(const Site* s, unsigned live, unsigned threads) {
    joinBlock();
    if (live < threads && first("来ない" + std::to_string(s->line))) {
        report(
            "検査: %s に来ないスレッドがいる: %u 個のうち %u 個だけが来た。"
            "残りはカーネルを終えている\n  %s:%d\n"
            "  return した後や、if、回る数の違うループの中に置かず、全員を同じ所に通す\n",
            runningLaunch().cooperative ? "grid.sync() か __syncthreads()" : "__syncthreads()", threads, live, s->file,
            s->line);
        reportKernel();
    }
}
// 自分から帰ったのではないレーンが、呼び出しを通らないまま、カーネルを終えた
static void missWarp(unsigned warp, unsigned group, const Request& r) {
    const unsigned absent = r.mask & firstLanes(self->threads - warp * 32) & ~group & ~here.leftEarly[warp];
    if (!absent || runningLaunch().cooperative || !first("マスク" + std::to_string(r.site->line))) return;
    report(
        "検査: マスクにあるレーンが、ここを通らずにカーネルを終えた\n  %s:%d: マスク 0x%08x, 来ないのは %u など\n"
        "  if やループの外に出して全員を通すか、来るレーンだけのマスクを渡す\n",
        r.site->file, r.site->line, r.mask, warp * 32 + unsigned(lowest(absent)));
    reportKernel();
}
void toolWarp(unsigned warp, unsigned group, Op op, Request* const* requests) {
    missWarp(warp, group, *requests[lowest(group)]);
    if (op == Op::sync) joinWarp(warp, group);  // シャッフルや投票は、メモリの順番を約束しない
}
}  // namespace cpu
