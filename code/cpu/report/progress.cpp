// progress.cpp: 長くかかるプログラムが、進んでいることを見せる。端末に 1 行だけ、書き直し、カーネルが終わると消す。
#include <unistd.h>

#include "../exec/exec.h"

namespace cpu {
static std::atomic<double> due;  // 次に書く時刻
static std::atomic<bool> shown;
static double began;
static unsigned launches;
void beginProgress() {
    began = seconds();
    if (launches++ == 0) due = began + 3;  // これより短い間は、何も書かない
}
void showProgress(uint64_t done, uint64_t all) {
    static const bool terminal = !kInPage && isatty(2);  // ページに、端末はない
    const double now = terminal && done ? seconds() : 0;
    double then = due;
    if (now < then || now == 0 || !due.compare_exchange_strong(then, now + 1)) return;
    shown = true;
    fprintf(stderr, "\r%u 回目の起動 %s: %llu / %llu ブロック (%.0f %%)、あと約 %.0f 秒\033[K\r", launches,
            runningLaunch().name, (unsigned long long)done, (unsigned long long)all, 100.0 * double(done) / double(all),
            (now - began) / double(done) * double(all - done));
}
void endProgress() {
    if (shown.exchange(false)) fputs("\r\033[K", stderr);
}
}  // namespace cpu
