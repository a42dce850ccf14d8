// ticks.cpp: カーネルの中の時計。1 ナノ秒に 1 つ進む (cudaDevAttrClockRate は 1 GHz と答える)。
// 時計を見て待つスレッドは、先を譲る: ブロックの全員の待つ時間が、GPU と同じように重なる。
#include <time.h>

#include "cpu/intrinsics.h"

static long long nanoseconds(clockid_t id) {
    timespec t{};
    clock_gettime(id, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}
long long clock64() {
    cpu::polled((const void*)clock64);
    return nanoseconds(CLOCK_MONOTONIC);
}
// C の clock() と同じ名前なので、ホストには C の約束 (使った CPU の時間。1 マイクロ秒に 1 つ) を守る
extern "C" clock_t clock() noexcept {
    return cpu::here.inKernel ? clock_t(clock64()) : clock_t(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) / 1000);
}
