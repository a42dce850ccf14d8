// endless.cpp: 終わらないループの報告。気づき方は watch.cpp (WebAssembly では wasm/watch.cpp) と state.cpp。
#include "../exec/exec.h"

namespace cpu {
void failStuck(const std::string& at, bool waiting) {
    failKernel(cudaErrorLaunchTimeout, [&] {
        report("CPU デバイス: 終わらないループ: %s が %d 秒たっても進まない: %s\n  %s を実行中\n", threadName().c_str(),
               kStuckSeconds,
               waiting ? "同じ状態を繰り返して、何かが変わるのを待っている"
                       : "待つ所のないループか再帰を回り続けている。終わる条件を確かめる",
               at.c_str());
        if (waiting) adviseWaiting();
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
    });
}
void failHost(const std::string& at) {
    stopProgram(
        "CPU デバイス: 終わらないループ: ホストのコードが %d 秒の間、同じ値を読み続けている\n  %s を実行中\n"
        "  起動したカーネルは、もう終わっている: 待っても、値を変える者がいない\n",
        kStuckSeconds, at.c_str());
}
}  // namespace cpu
