// progress.cpp: 長くかかるプログラムが、進んでいることを見せる。端末に 1 行だけ、毎秒書き直し、カーネルが終わると消す。
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>

#include "../exec/exec.h"

namespace cpu {
using Clock = std::chrono::steady_clock;
static constexpr double kQuietSeconds = 3;  // これより短い間は、何も書かない
static std::atomic<const char*> name;  // いま動いているカーネル。なければ nullptr
static std::atomic<uint64_t> launches, blocks;
static std::atomic<bool> shown;
static std::atomic<Clock::rep> began;

static double secondsSince(Clock::rep then) {
    return std::chrono::duration<double>(Clock::now().time_since_epoch() - Clock::duration(then)).count();
}
void beginProgress(const Launch& l, uint64_t count) {
    blocks = count;
    launches++;
    began = Clock::now().time_since_epoch().count();
    name = l.name;
}
void endProgress() {
    name = nullptr;
    if (shown.exchange(false)) fputs("\r\033[K", stderr);
}
// 見張りが、ときどき呼ぶ。done は、配り終えたブロックの数
void showProgress(uint64_t done) {
    static const auto first = Clock::now().time_since_epoch().count();
    static const bool terminal = isatty(2);
    static Clock::rep last = first;
    const char* kernel = name;
    if (!terminal || !kernel || secondsSince(first) < kQuietSeconds || secondsSince(last) < 1) return;
    last = Clock::now().time_since_epoch().count();
    const double spent = secondsSince(began);
    const uint64_t all = blocks;
    done = std::min(done, all);
    shown = true;
    if (spent < kQuietSeconds || done == 0 || done == all)
        fprintf(stderr, "\r%llu 回目の起動 (%s)\033[K\r", (unsigned long long)launches.load(), kernel);
    else
        fprintf(stderr, "\r%s: %llu / %llu ブロック (%.0f %%)、あと約 %.0f 秒\033[K\r", kernel,
                (unsigned long long)done, (unsigned long long)all, 100.0 * double(done) / double(all),
                spent / double(done) * double(all - done));
}
}  // namespace cpu
