// absent.cpp: シャッフルで、加わっていないレーンから受け取った値を、使ったか捨てたか。
// 受け取るだけなら誤りではない。違う値を渡してもう 1 度動かし、起動の終わりのメモリを比べる (twice.h):
// 違っていれば、決まっていない値を使っている。
#include <map>

#include "sanitize.h"

namespace cpu {
static struct {
    const Site* site;  // なければ、まだ受け取っていない
    unsigned thread, lane;
} received;

static void complain(const Site* s, unsigned thread, unsigned lane) {
    if (!first("レーン" + std::string(s->file) + std::to_string(s->line))) return;
    report(
        "検査: シャッフルで、加わっていないレーンの値を使った: 値は決まらない\n"
        "  %s:%d: スレッド %u がレーン %u を読む\n"
        "  そのレーンは、もうカーネルを終えているか、マスクに入っていない\n",
        s->file, s->line, thread, lane);
    if (here.inKernel) reportKernel();
}
uint64_t toolAbsent(const Request& r, unsigned thread) {
    constexpr int kMaxTries = 8;  // 同じ行を、何回の起動で試すか
    static std::map<const Site*, int> tries;
    constexpr uint64_t kOne = ~uint64_t(0), kOther = 0x2a2a2a2a2a2a2a2a;
    if (!received.site && runningLaunch().cooperative)
        complain(r.site, thread, r.from & 31);  // いくつものブロックが、途中で待っている
    else if (!received.site && tries[r.site]++ < kMaxTries && splitLaunch()) received = {r.site, thread, r.from & 31};
    return inOtherLaunch() ? kOther : kOne;
}
uint64_t arraysHash() {
    uint64_t h = stickyError();
    for (auto& a : arrays)
        if (!a.shared) h = hashBytes(a.p, a.bytes, h + 1);
    return h;
}
void compareAbsent() {
    if (!received.site) return;
    if (!otherLaunchAgrees()) complain(received.site, received.thread, received.lane);
    if (!inOtherLaunch()) received.site = nullptr;
}
}  // namespace cpu
