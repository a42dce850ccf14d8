// watch.cpp: 見張り。
// 1 つの OS スレッドがブロックのスレッドを順に動かすので、同じブロックの相手を待って回り続けるスレッドがいると、
// 相手は永遠に動かない。
// 番号の小さいブロックを待つのはよい: ブロックは番号の順に始まるので、相手は別の OS スレッドで動いているか、
// もう終わっている。
// だから、どの OS スレッドも進まないときにだけ、行き詰まったとみなす。
#include <signal.h>

#include <chrono>

#include "pool.h"

namespace cpu {
static void stuck(int, siginfo_t*, void* context) {
    if (!self || !here.inKernel || !claimReport()) return;
    report(
        "CPU デバイス: %s が %d 秒たっても進まない: 同じブロックの他のスレッドを待って回り続けるループは、"
        "CPU デバイスでは終わらない。__syncthreads() か __syncwarp() で待つ\n",
        threadName().c_str(), kStuckSeconds);
    reportKernel();
    report("  %s を実行中\n", where((char*)programCounter(context) + 1).c_str());
    abortBlock(cudaErrorLaunchTimeout);
}
void Pool::watch() {
    struct sigaction action{};
    action.sa_sigaction = stuck;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGUSR2, &action, nullptr);
    struct Seen {
        unsigned progress, lane;
        int seconds;
    };
    std::vector<Seen> seen;
    std::unique_lock<std::mutex> lock(mutex);
    while (!wake.wait_for(lock, std::chrono::seconds(1), [&] { return quit; })) {
        showProgress(blocksTaken());
        seen.resize(workers.size());
        bool moved = false;
        for (size_t k = 0; k < workers.size(); k++) {
            Worker& w = *workers[k];
            const Seen now{w.progress, *(const volatile unsigned*)w.lane, seen[k].seconds + 1};
            const bool waiting = !w.busy || w.waitingForGrid;
            const bool same = now.progress == seen[k].progress && now.lane == seen[k].lane;
            moved |= !waiting && !same;
            seen[k] = waiting || !same ? Seen{now.progress, now.lane, 0} : now;
        }
        for (size_t k = 0; k < workers.size(); k++) {
            if (moved) seen[k].seconds = 0;
            else if (seen[k].seconds >= kStuckSeconds) pthread_kill(workers[k]->os, SIGUSR2), seen[k].seconds = 0;
        }
    }
}
}  // namespace cpu
