// wasm/watch.cpp: 進まないまま kStuckSeconds 秒たったら、報告して止める。何を進んだとみなすかは ../watch.cpp と同じ。
// 検査のためにコンパイルしたプログラムでは、どのループにも気づく。
// ほかでは、アトミック演算で同じ所を見て回り続けるスレッドにだけ気づく。残りは、ページが Worker ごと止める。
#include "watch.h"

#include <map>

#include "../device/device.h"
#include "../exec/exec.h"

namespace cpu {
static struct {
    unsigned progress, lane;
    uint64_t block;
    bool inKernel;
    double since;
    unsigned samples;        // 最後の 1 秒に見た回数。時計だけが進んだ (機械が混んでいた) ときは、足りるまで待つ
    unsigned looked, again;  // そのうちメモリに触れた回数、何も変わらずに待っていた回数
    const void* waited;
    uint64_t value;
} seen;
static std::map<void*, unsigned> loops;  // 見たときに回っていたループ。外側のものほど、少ない
static bool moved() {
    const bool inKernel = self && here.inKernel;
    const unsigned progress = self ? self->progress : 0;
    if (seen.progress == progress && seen.lane == here.lane && seen.block == here.blocks && seen.inKernel == inKernel)
        return false;
    loops.clear();
    seen = {progress, here.lane, here.blocks, inKernel, seconds(), 0, 0, 0, nullptr, 0};
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
    constexpr unsigned kOften = 997, kSeldom = 1 << 16, kEnough = 32;  // kOften は、周期のあるループとそろわない数
    untilLook = kSeldom;
    if (moved()) return;
    const double spent = seconds() - seen.since;
    if (spent < kStuckSeconds - 1) return;
    untilLook = kOften;
    if (!touched) loops[cpu_place]++;
    if (touched) seen.looked++, seen.again += unchanged(waited);
    if (++seen.samples < kEnough || spent < kStuckSeconds) return;
    const bool waiting = seen.again * 2 > seen.looked;
    void* at = cpu_place;
    for (auto& [place, count] : loops)
        if (!waiting && count < (loops.count(at) ? loops[at] : ~0u)) at = place;
    if (seen.inKernel) failStuck(where(at), waiting || seen.looked == 0);
    if (waiting) failHost(where(cpu_place));
    seen.since = seconds();
    seen.samples = seen.looked = seen.again = 0;
}
void look(const void* waited) { look(waited, true); }
void failNested() {
    if (!here.inKernel)
        stopProgram(
            "CPU デバイス: ホストのコードが、スタックを使い切った: 再帰が深すぎる。終わる条件を確かめる\n  %s\n",
            where(cpu_place).c_str());
    failTouch(&nested, cpu_place, true);
}
bool suspected(Worker& w) {  // 待つ所を回り続けている。ブロックを始めて 0.5 秒たったら、調べ始める
    Returns& r = w.returns;  // ブロックごと。入れ替わって進むブロックもある
    if (r.waits++ == 0) r.begun = seconds();
    if (!r.late && r.waits % 16) return false;
    const double now = seconds();
    r.late = now - r.begun >= 0.5;
    if (!r.returned) r.returnedSince = now;
    if (now - r.returnedSince >= kStuckSeconds - 0.5) w.stop = true;
    return r.late;
}
}  // namespace cpu
extern "C" void cpu_tick() {  // ループを 1 度回った
    if (--cpu::untilLook == 0) cpu::look(nullptr, false);
}
