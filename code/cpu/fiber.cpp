// fiber.cpp: スレッドを眠らせ、起こす。どのスレッドを起こすかは schedule.cpp が決める。
//
// スレッドは、__syncthreads() に出会うまでは普通の関数呼び出しとして 1 つずつ最後まで動く (Launch::all)。
// 誰かが待つと、そこからはスレッドごとに別のスタックを持ち、待つたびに次のスレッドへ移る (ファイバー)。
#include <sys/mman.h>
#include <unistd.h>

#include "worker.h"

namespace cpu {
// ---------------------------------------------------------------- スタック
static __attribute__((noinline)) void growStacks(Fibers& f, unsigned count) {
    const size_t page = sysconf(_SC_PAGESIZE), each = kStackBytes + page;
    while (f.stacks.size() < count) {
        const unsigned batch = 32;
        char* m =
            (char*)mmap(nullptr, each * batch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
        if (m == MAP_FAILED) {
            report("CPU デバイス: スレッドのスタックを置くメモリがない: ブロックを小さくする\n");
            _exit(3);
        }
        for (unsigned k = 0; k < batch; k++) {
            mprotect(m + each * k, page, PROT_NONE);  // 使い切ると、ここに触れて分かる
            // 端を 64 バイトずつずらす。揃えると、全員のスタックがキャッシュの同じ場所を取り合う
            f.stacks.push_back(m + each * (k + 1) - f.stacks.size() % 61 * 64);
        }
    }
}
bool describeStack(const void* p) {
    if (!self) return false;
    for (char* top : self->stacks) {
        if ((char*)p < top - kStackBytes - 8192 || (char*)p > top - kStackBytes + 8192) continue;
        report("  スレッドのスタック (%zu KiB) を使い切った: カーネルの中の大きな配列や再帰をやめる\n",
               kStackBytes / 1024);
        return true;
    }
    return false;
}

// ---------------------------------------------------------------- 始まりと終わり
void prepareFibers(Worker& w) {
    here.fibers = false;
    growStacks(w, w.threads + 1);  // stacks[threads] は、ブロックを関数呼び出しとして動かすスタック
}
static void blocksMain() {  // 誰かが待つまで、ブロックを 1 つずつ普通の関数呼び出しで動かす
    while (takeBlock(*self)) runningLaunch().all(runningLaunch().closure);
    leaveBlock();
}
static void threadMain() {  // 新しいスタックの入口
    for (;;) {
        runningLaunch().one(runningLaunch().closure);
        CPU_PARK("cpu_park_exit", nullptr);
    }
}
void runBlocks(Worker& w) {
    w.home.to = newFiber(w.stacks[w.threads], blocksMain);
    CPU_PARK("cpu_jump", &w.home);  // ブロックがなくなると、ここへ戻る
}
void leaveBlock() {
    Jump j{nullptr, self->home.from};
    CPU_PARK("cpu_jump", &j);
    __builtin_unreachable();
}

// ---------------------------------------------------------------- 切り替え
// このブロックで初めて誰かが待った: ここからファイバー。今のスタックは、そのスレッドのものになる。他は新しい
static __attribute__((noinline)) void becomeFibers(Worker& w) {
    here.fibers = true;
    for (unsigned k = 0; k < w.threads; k++) w.sp[k] = newFiber(w.stacks[k], threadMain);
    beginWaiting(w, here.lane);
}
static inline Worker& sleepAt(void* sp) {
    Worker& w = *self;
    if (__builtin_expect(!here.fibers, 0)) becomeFibers(w);
    w.sp[here.lane] = sp;
    return w;
}
static inline void* wake(Worker& w, unsigned t) {  // スレッド t のスタック
    if (__builtin_expect(t == kBlockFinished, 0)) {
        if (!takeBlock(w)) return w.home.from;
        t = startSweep(w);
    }
    setCurrent(w, t);
    return w.sp[t];
}
extern "C" {
__attribute__((used)) void* cpu_sleep_barrier(const Site* site, void* sp) {
    Worker& w = sleepAt(sp);
    return wake(w, arrive(w, site));
}
__attribute__((used)) void* cpu_sleep_exit(const void*, void* sp) {
    Worker& w = sleepAt(sp);
    return wake(w, arrive(w, &kExit));
}
__attribute__((used)) void* cpu_sleep_warp(Request* r, void* sp) {
    Worker& w = sleepAt(sp);
    return wake(w, arriveAtWarp(w, r));
}
__attribute__((used)) void* cpu_sleep_active(Request* r, void* sp) {
    Worker& w = sleepAt(sp);
    return wake(w, arriveActive(w, r));
}
__attribute__((used)) void* cpu_sleep_yield(const Site* site, void* sp) {
    Worker& w = sleepAt(sp);
    return wake(w, yieldThread(w, site));
}
}
CPU_DEFINE_PARK("cpu_park_barrier", "cpu_sleep_barrier");
CPU_DEFINE_PARK("cpu_park_exit", "cpu_sleep_exit");
CPU_DEFINE_PARK("cpu_park_warp", "cpu_sleep_warp");
CPU_DEFINE_PARK("cpu_park_active", "cpu_sleep_active");
CPU_DEFINE_PARK("cpu_park_yield", "cpu_sleep_yield");
CPU_DEFINE_JUMP();
}  // namespace cpu
