// endless.cpp: 終わらないループの報告と、同じ状態に戻ったか。気づくのは watch.cpp (WebAssembly では wasm/watch.cpp)。
#include <string_view>

#include "../exec/exec.h"

namespace cpu {
void failStuck(const std::string& at, bool waiting) {
    failKernel(cudaErrorLaunchTimeout, [&] {
        report("CPU デバイス: 終わらないループ: %s が %d 秒たっても進まない: %s\n  %s を実行中\n", threadName().c_str(),
               kStuckSeconds,
               waiting ? "同じ状態を繰り返して、何かが変わるのを待っている (変え忘れていないか)"
                       : "ループか再帰を回り続けている。終わる条件を確かめる",
               at.c_str());
        const dim3& g = here.gridSize;
        if (waiting || g.x > 1 || g.y > 1 || g.z > 1) adviseWaiting(false);
    });
}
static std::string lineOf(const Site* site) {
    if (site->line) return std::string(site->file) + ":" + std::to_string(site->line);
    for (unsigned t = 0; t < self->threads; t++)
        if (self->site[t] == site) return whereAsleep(*self, t);
    return "場所は不明";
}
void failEndless(const Site* site) {
    failKernel(cudaErrorLaunchTimeout, [&] {
        report(
            "CPU デバイス: 終わらないループ: ブロックの全員が、%d 秒たっても同じ状態に戻り続けている\n"
            "  %s で待って、また同じ所へ戻る。終わる条件が、いつか成り立つことを確かめる\n",
            kStuckSeconds, lineOf(site).c_str());
        if (site == &kBarrier) report("  init() に渡した人数が来ないか、先に終えた人がいる: 人数をそろえる\n");
        else if (!site->line) adviseWaiting(true);
    });
}
void failHost(const std::string& at) {
    stopProgram(
        "CPU デバイス: 終わらないループ: ホストのコードが %d 秒の間、同じ値を読み続けている\n  %s を実行中\n"
        "  起動したカーネルは、もう終わっている: 待っても、値を変える者がいない\n",
        kStuckSeconds, at.c_str());
}

// ---------------------------------------------------------------- 状態を変えないループは、永遠に終わらない
// 待っているスレッドの状態は、そのスタックである: 待つときには、要るレジスタもすべてスタックにある
uint64_t hashBytes(const void* p, size_t bytes, uint64_t h) {
    return (std::hash<std::string_view>()({(const char*)p, bytes}) ^ h) * 0x9e3779b97f4a7c15u;
}
bool returnedToState(const Site* site) {
    constexpr uint64_t kEvery = 128;      // 覚え直す間隔。これより短い周期のループが分かる
    constexpr uint64_t kPatience = 100000;  // メモリは変わるループ (収束を待つものなど) を、ここまでは待つ
    Worker& w = *self;
    if (!suspected(w)) return false;
    Returns& r = w.returns;
    r.rounds++;
    r.site = site;
    if (w.stop) failEndless(site);
    const double begin = seconds();
    if (begin < r.next) return r.returned;
    const uint64_t stacks = stacksHash(w);
    if (r.checks++ % kEvery == 0) {
        r.stacks = stacks;
        r.memory = memoryHash();
    } else if (stacks == r.stacks) {
        r.missed = 0;
        r.returned = r.rounds - r.since > kPatience || (r.memory && memoryHash() == r.memory);
    } else if (++r.missed > kEvery) r.since = r.rounds, r.returned = false;
    r.next = seconds() + 9 * (seconds() - begin);  // 調べるのに使うのは、時間の 10 分の 1 まで
    return r.returned;
}
}  // namespace cpu
