// watch.cpp: 見張り。進まないまま kStuckSeconds 秒たった OS スレッドを、報告して止める。
//
// 進んだとみなすのは、ブロックが始まったとき、次のスレッドに移ったとき、全員がバリアに着いたときである。
// ただし、バリアや __nanosleep() を回るだけで同じ状態に戻るなら、進んだとみなさない (state.cpp)。
// だから、長くかかっても、進んでいるカーネルは止めない。1 つのスレッドだけが、待たずに回り続けられる時間に限りがある。
//
// 1 つの OS スレッドがブロックのスレッドを順に動かすので、同じブロックの相手を待って回り続けるスレッドがいると、
// 相手は永遠に動かない。番号の小さいブロックを待つのはよい: ブロックは番号の順に始まるので、
// 相手は別の OS スレッドで動いているか、もう終わっている。
// だから、どの OS スレッドも進まないときにだけ、行き詰まったとみなす。
//
// ホストのコードは、同じ命令とレジスタの組に戻り続けるときだけ止める: 長い計算なら、何かが変わる。
#include <dirent.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <chrono>

#include "../exec/exec.h"

namespace cpu {
// ---------------------------------------------------------------- 見張られる側
static bool spinning(const Worker& w) { return w.again * 2 > w.looked; }  // 見るたびに、ほとんど同じ状態だった
static void look(Worker& w, void* context) {
    const uint64_t h = registersHash(context);
    for (unsigned k = 0; k < w.looked; k++)
        if (w.looks[k] == h) {
            w.again++;
            break;
        }
    if (w.looked < sizeof w.looks / sizeof *w.looks) w.looks[w.looked++] = h;
}
static void onOrder(int, siginfo_t*, void* context) {
    if (!self || self->reporting) return;
    Worker& w = *self;
    if (w.order == Order::look) return look(w, context);
    if (w.order != Order::stop) return;
    w.reporting = true;
    if (here.inKernel && w.returns.returned) failEndless(w.returns.site);
    if (here.inKernel) failStuck(whereStopped(context), spinning(w));
    failHost(whereStopped(context));
}

// ---------------------------------------------------------------- 見張る側
static double cpuSeconds(pthread_t thread) {
    clockid_t clock;
    timespec t{};
    if (pthread_getcpuclockid(thread, &clock) == 0) clock_gettime(clock, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}
static size_t threadsOfProcess() {
    size_t count = 0;
    if (DIR* d = opendir("/proc/self/task")) {
        while (const dirent* e = readdir(d)) count += e->d_name[0] != '.';
        closedir(d);
    }
    return count;
}
struct Seen {  // 1 つの OS スレッドが、最後に進んだときのこと
    unsigned progress, lane;
    uint64_t block;
    double since, blockSince, cpu;  // 時刻、ブロックを始めた時刻、使った CPU の時間
};
static const pthread_t mainThread = pthread_self();  // ほかのホストの OS スレッドは、もう終わっているかもしれない
static void forget(Worker& w, Seen& s, double now) {
    s.since = now;
    s.cpu = w.busy || pthread_equal(w.os, mainThread) ? cpuSeconds(w.os) : 0;
    w.order = Order::none;
    w.looked = w.again = 0;
}
static bool moved(Worker& w, Seen& s, double now) {
    const Seen before = s;
    s.progress = w.progress;
    s.lane = *(const volatile unsigned*)w.lane;
    if (w.next != s.block) s.block = w.next, s.blockSince = now;
    w.watched = w.busy && now - s.blockSince >= 0.5;
    return s.progress != before.progress || (s.lane != before.lane && !w.returns.returned);
}
bool suspected(Worker&) { return true; }  // 疑うときだけ呼ばれる (Schedule::watched)
void Pool::watch() {
    struct sigaction action{};
    action.sa_sigaction = onOrder;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
    sigaction(SIGUSR2, &action, nullptr);
    std::vector<Seen> seen;
    const auto start = std::chrono::steady_clock::now();
    std::unique_lock<std::mutex> lock(mutex);
    bool close = false;  // もうすぐ止めるかもしれない者がいる: 細かく見る
    while (!wake.wait_for(lock, std::chrono::milliseconds(close ? 10 : 250), [&] { return quit; })) {
        showProgress(blocksTaken());
        const double now = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        bool anyMoved = false;
        seen.resize(workers.size(), Seen{});
        for (size_t k = 0; k < workers.size(); k++) {
            Worker& w = *workers[k];
            const bool inKernel = w.busy && !w.waitingForGrid,
                       host = k == 0 && !w.busy && pthread_equal(w.os, mainThread), m = moved(w, seen[k], now);
            anyMoved |= inKernel && m;
            // 入力を待つなど、CPU を使っていないホストも、進んでいるとみなす
            const bool asleep = host && cpuSeconds(w.os) - seen[k].cpu < 0.1 * (now - seen[k].since);
            if (m || asleep || !(inKernel || host)) forget(w, seen[k], now);
        }
        close = false;
        for (size_t k = 0; k < workers.size(); k++) {
            Worker& w = *workers[k];
            if (anyMoved) forget(w, seen[k], now);
            const double stuck = now - seen[k].since;
            if (stuck < kStuckSeconds - 1 || (!w.busy && !pthread_equal(w.os, mainThread))) continue;
            close = true;
            // ほかのプログラムに CPU を取られて進めないだけの者は、止めない
            if (stuck < kStuckSeconds || cpuSeconds(w.os) - seen[k].cpu < 1) {
                if (w.order != Order::stop) w.order = Order::look, pthread_kill(w.os, SIGUSR2);
            } else if (!w.busy && (!spinning(w) || threadsOfProcess() > workers.size() + 1)) {
                forget(w, seen[k], now);
            } else if (w.order.exchange(Order::stop) != Order::stop && w.returns.returned) {
                seen[k].since += 0.5;  // 待つ所のあるループは、次に待つときに自分で気づく
            } else pthread_kill(w.os, SIGUSR2);
        }
    }
}
}  // namespace cpu
