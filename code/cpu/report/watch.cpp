// watch.cpp: 終わらないループに気づく。進まないまま CPU を kStuckSeconds 秒使った OS スレッドが、報告してやめる。
//
// どの OS スレッドにも、CPU を決まった時間だけ使うたびにシグナルが来る。そのたびに、前に見てから進んだかを調べる。
// だから、眠っている者も、ほかのプログラムに CPU を取られて進めないだけの者も、やめない。
// 進んだとみなすのは、ブロックが始まったとき、次のスレッドに移ったとき、全員がバリアかワープの関数に着いたときである。
// ただし、バリアやワープの関数や __nanosleep() を回るだけで同じ状態に戻るなら、進んだとみなさない (endless.cpp)。
// だから、長くかかっても、進んでいるカーネルは止めない。1 つのスレッドだけが、待たずに回り続けられる時間に限りがある。
//
// 1 つの OS スレッドがブロックのスレッドを順に動かすので、同じブロックの相手を待って回り続けるスレッドがいると、
// 相手は永遠に動かない。番号の小さいブロックを待つのはよい: ブロックは番号の順に始まるので、
// 相手は別の OS スレッドで動いているか、もう終わっている。
// だから、どの OS スレッドも進まないときにだけ、行き詰まったとみなす。
//
// ホストのコードは、同じ命令とレジスタの組に戻り続けるときだけ止める: 長い計算なら、何かが変わる。
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "../exec/exec.h"

namespace cpu {
constexpr unsigned kTicks = 8, kStuck = kStuckSeconds * kTicks;  // CPU を 1 秒使う間に見る回数と、止めるまでの回数
static const pthread_t mainThread = pthread_self();  // ほかのホストの OS スレッドは、見ない
static std::atomic<unsigned> moves, watched;  // 誰かが進んだのを見た回数、見ている OS スレッドの数
static thread_local struct {
    unsigned progress, lane, moves, inBlock, looked, again;
    uint64_t blocks, looks[kStuck];  // looks: 進まないまま見た状態
    bool inKernel;
} seen;
static bool moved(Worker& w) {
    const bool same =
        seen.progress == w.progress && (seen.lane == here.lane || w.returns.returned) && seen.inKernel == here.inKernel;
    seen.inBlock = seen.blocks == here.blocks ? seen.inBlock + 1 : 0;
    w.watched = here.inKernel && seen.inBlock > kTicks / 2;
    seen.progress = w.progress, seen.lane = here.lane, seen.blocks = here.blocks, seen.inKernel = here.inKernel;
    return !same;
}
static bool onlyOurThreads() {
    struct stat s{};
    return stat("/proc/self/task", &s) == 0 && s.st_nlink - 2 <= watched;
}
[[maybe_unused]] static void onTick(int, siginfo_t*, void* context) {
    Worker& w = *self;
    if (w.reporting || (!here.inKernel && !pthread_equal(pthread_self(), mainThread))) return;
    if (moved(w)) moves++;
    if (seen.moves != moves) {
        seen.moves = moves, seen.looked = seen.again = 0, w.stop = false;
        return;
    }
    const uint64_t state = registersHash(context);
    seen.again += std::find(seen.looks, seen.looks + seen.looked, state) != seen.looks + seen.looked;
    seen.looks[seen.looked++] = state;
    if (seen.looked < kStuck) return;
    const bool spinning = seen.again * 2 > seen.looked;  // 見るたびに、ほとんど同じ状態だった
    seen.looked = seen.again = 0;
    if (here.inKernel && w.returns.returned && !w.stop) w.stop = true;  // 次に待つときに自分で気づく
    else if (here.inKernel)
        w.reporting = true, failStuck(whereStopped(context), spinning || (poll.count > 64 && poll.lane == here.lane));
    else if (spinning && onlyOurThreads()) w.reporting = true, failHost(whereStopped(context));
}
void watchMe() {
#ifdef __linux__
    struct sigaction action{};
    action.sa_sigaction = onTick;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
    sigaction(SIGUSR2, &action, nullptr);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGUSR2;
    event._sigev_un._tid = pid_t(syscall(SYS_gettid));
    const itimerspec every{{0, 1000000000 / kTicks}, {0, 1000000000 / kTicks}};
    int timer;  // 古い C ライブラリの timer_create は、別のライブラリにある
    if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0)
        syscall(SYS_timer_settime, timer, 0, &every, nullptr);
#endif
    watched += self->number > 1 || pthread_equal(pthread_self(), mainThread);
}
bool suspected(Worker&) { return true; }  // 疑うときだけ呼ばれる (Schedule::watched)
}  // namespace cpu
