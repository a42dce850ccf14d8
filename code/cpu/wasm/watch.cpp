// wasm/watch.cpp: 進まないまま kStuckSeconds 秒たったら、報告して止める。何を進んだとみなすかは ../watch.cpp と同じ。
// 検査のためにコンパイルしたプログラムでは、どのループにも気づく。
// ほかでは、アトミック演算で同じ所を見て回り続けるスレッドにだけ気づく。残りは、ページが Worker ごと止める。
#include "watch.h"

#include <chrono>

#include "../os.h"
#include "../worker.h"

namespace cpu {
static double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
static struct {
    unsigned progress, lane;
    uint64_t block;
    bool inKernel;
    double since;
    unsigned looked, again;  // 最後の 1 秒に見た回数、そのうち何も変わらずに待っていた回数
    const void* waited;
    uint64_t value;
} seen;
static bool moved() {
    const bool inKernel = self && here.inKernel;
    const unsigned progress = self ? self->progress.load() : 0;
    if (seen.progress == progress && seen.lane == here.lane && seen.block == here.blocks && seen.inKernel == inKernel)
        return false;
    seen = {progress, here.lane, here.blocks, inKernel, seconds(), 0, 0, nullptr, 0};
    return true;
}
static bool unchanged(const void* waited) {
    uint64_t value = 0;
    if (waited && isMapped((const char*)waited + sizeof value)) memcpy(&value, waited, sizeof value);
    const bool same = waited && waited == seen.waited && value == seen.value;
    seen.waited = waited;
    seen.value = value;
    return same;
}
static void look(const void* waited, bool touched) {  // touched: メモリに触れた。違えば、ループを回っただけ
    constexpr unsigned kOften = 997, kSeldom = 1 << 16;  // 周期のあるループと、そろわないように
    untilLook = kSeldom;
    if (moved()) return;
    const double spent = seconds() - seen.since;
    if (spent < kStuckSeconds - 1) return;
    untilLook = kOften;
    if (touched) seen.looked++, seen.again += unchanged(waited);
    if (spent < kStuckSeconds) return;
    const bool waiting = seen.again * 2 > seen.looked;
    if (seen.inKernel) failStuck(where(cpu_place), waiting || seen.looked == 0);
    if (waiting) failHost(where(cpu_place));
    seen.since = seconds();
    seen.looked = seen.again = 0;
}
void look(const void* waited) { look(waited, true); }
void failNested() {
    if (!here.inKernel) __builtin_trap();
    failTouch(&nested, cpu_place);
}
void polled(const void* p) { tick(cpu_place, p); }

bool suspected(Worker& w) {  // 待つ所を回り続けている。ブロックを始めて 0.5 秒たったら、調べ始める
    static uint64_t block;
    static double begun, returnedSince;
    static unsigned rounds;
    static bool late;
    if (block != here.blocks) block = here.blocks, rounds = 0, late = false;
    if (rounds++ == 0) begun = seconds();
    if (!late && rounds % 16) return false;
    const double now = seconds();
    late = now - begun >= 0.5;
    if (!w.returns.returned) returnedSince = now;
    if (now - returnedSince >= kStuckSeconds - 0.5) w.order = Order::stop;
    return late;
}
}  // namespace cpu
extern "C" void cpu_tick() {  // ループを 1 度回った
    if (--cpu::untilLook == 0) cpu::look(nullptr, false);
}
