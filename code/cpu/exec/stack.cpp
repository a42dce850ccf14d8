// stack.cpp: スレッドごとのスタックと、その切り替え (x86-64 と AArch64)。
#include <algorithm>

#include "exec.h"

namespace cpu {
#ifdef __x86_64__
// name: 眠る。schedule(引数, いまのスタック) が返したスタックの続きを動かす
#define CPU_DEFINE_PARK(name, schedule) \
    asm(".text\n.globl " CPU_SYMBOL(name) "\n" CPU_SYMBOL(name) ":\n  pushq %rbp\n  movq %rsp, %rbp\n"    \
        "  movq %rsp, %rsi\n  andq $-16, %rsp\n  call " CPU_SYMBOL(schedule) "\n  movq %rax, %rsp\n  popq %rbp\n" \
        "  popq %rcx\n  jmp *%rcx\n")
static void* newFiber(char* top, void (*entry)()) {
    void** sp = (void**)((uintptr_t)top & ~(uintptr_t)15);
    *--sp = nullptr;         // entry から見た戻り番地。戻らない
    *--sp = (void*)entry;
    *--sp = nullptr;         // rbp
    return sp;
}
#else
#define CPU_DEFINE_PARK(name, schedule) \
    asm(".text\n.p2align 2\n.globl " CPU_SYMBOL(name) "\n" CPU_SYMBOL(name) ":\n  stp x29, x30, [sp, #-16]!\n" \
        "  mov x1, sp\n  bl " CPU_SYMBOL(schedule) "\n  mov sp, x0\n  ldp x29, x30, [sp], #16\n  br x30\n")
static void* newFiber(char* top, void (*entry)()) {
    void** sp = (void**)((uintptr_t)top & ~(uintptr_t)15) - 2;
    sp[0] = nullptr;         // x29
    sp[1] = (void*)entry;    // x30
    return sp;
}
#endif

static __attribute__((noinline)) void growStacks(Fibers& f, unsigned count) {
    const size_t page = kPageBytes, each = kStackBytes + page;
    while (f.stacks.size() < count) {
        const unsigned batch = 32;
        char* const m = mapPages(each * batch);
        if (!m) stopProgram("CPU デバイス: スレッドのスタックを置くメモリがない: ブロックを小さくする\n");
        for (unsigned k = 0; k < batch; k++) {
            protectPages(m + each * k, page, false);  // 使い切ると、ここに触れて分かる
            // 端を 64 バイトずつずらす。揃えると、全員のスタックがキャッシュの同じ場所を取り合う
            f.stacks.push_back(m + each * (k + 1) - f.stacks.size() % 61 * 64);
        }
    }
}

// ---------------------------------------------------------------- 始まりと終わり
void prepareFibers(Worker& w) {
    growStacks(w, w.threads + 1);  // stacks[threads] は、ブロックを関数呼び出しとして動かすスタック
}
static void stackMain() {  // スタックの入口。誰かが待つまで、ブロックを 1 つずつ動かす。待った後なら、スレッドを 1 つ
    while (here.fibers || takeBlock(*self)) runningLaunch().run(runningLaunch().closure);
    leaveBlock();
}
extern "C" __attribute__((used)) void* cpu_switch(Jump* jump, void* sp) {  // 眠る場所を覚え、to の続きを動かす
    jump->from = sp;
    return jump->to;
}
void runBlocks(Worker& w) {
    w.home.to = newFiber(w.stacks[w.threads], stackMain);
    CPU_PARK(cpu_jump, &w.home);  // ブロックがなくなると、ここへ戻る
}
void leaveBlock() {
    Jump j{nullptr, self->home.from};
    CPU_PARK(cpu_jump, &j);
    __builtin_unreachable();
}
void cpu_park_grid(const void* round) { waitForGrid(*(const uint64_t*)round); }  // OS スレッドごと止まって待つ
uint64_t stacksHash(const Worker& w) {
    uint64_t h = 1;
    for (unsigned t = 0; t < w.threads; t++) {
        if (w.general && !(w.warp[t / 32].live >> t % 32 & 1)) continue;
        char* const sp = (char*)w.sp[t];
        const bool own = size_t(w.stacks[t] - sp) <= kStackBytes;  // 違えば、ブロックを始めたスタックの上にいる
        h = hashBytes(sp, size_t(w.stacks[own ? t : w.threads] - sp), h + t);
    }
    return h;
}
std::string whereAsleep(const Worker& w, unsigned t) {
    void** const sp = (void**)w.sp[t];  // sp[1] は、続きの番地
    const bool own = size_t(w.stacks[t] - (char*)sp) <= kStackBytes;
    return whereCalled(sp[1], sp + 2, unsigned(std::min<long>(64, (void**)w.stacks[own ? t : w.threads] - sp - 2)));
}
bool inStacks(const void* p) {
    for (char* top : self->stacks)
        if ((char*)p < top && (char*)p >= top - kStackBytes) return true;
    return false;
}
bool ownVariables(const void* p) {
    auto near = [p](const void* q) { return uintptr_t(p) - uintptr_t(q) + 4096 < 2 * 4096; };
    return near(&here) || near(&threadIdx);  // thread_local の変数は、まとめて置かれている
}
void* freshThread(Worker& w, unsigned t) { return newFiber(w.stacks[t], stackMain); }

// 一緒に動いているレーンの組。レーンは 1 つずつ動くので、先に来た者は、同じワープの誰も先へ進めなくなるまで待つ。
// 同じ行でも、関数を呼んだ所が違えば別の組になる (caller)
unsigned activeMask(const Site* s, const void* caller) {
    const uint64_t place = uintptr_t(__builtin_return_address(0)) * 31 + uintptr_t(caller);
    Request r{s, Op::active, 0, 0, place, 0, {4, false}};
    CPU_PARK(cpu_park_warp, &r);
    return unsigned(r.result);
}

CPU_DEFINE_PARK("cpu_park_barrier", "cpu_sleep_barrier");
CPU_DEFINE_PARK("cpu_park_warp", "cpu_sleep_warp");
CPU_DEFINE_PARK("cpu_park_yield", "cpu_sleep_yield");
CPU_DEFINE_PARK("cpu_jump", "cpu_switch");
}  // namespace cpu
