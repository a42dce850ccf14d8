// fiber.h: 眠っているスレッドの続き。
// WebAssembly では、コルーチンの番地 (cpu/coroutine.h)。ほかでは、スタックの切り替え。
// 眠っているスレッドは、スタックの先頭に次の 2 語だけを残す。
//   x86-64: [rbp][続きの番地]      AArch64: [x29][x30 = 続きの番地]
// 他のレジスタは、呼ぶ側 (cpu/wait.h の CPU_PARK) がコンパイラに「壊れる」と伝えてある。
// 続きへは ret でなく間接ジャンプで移る。ret だと CPU の戻り番地の予測が外れ、1 回あたり数 ns 遅くなる。
#pragma once
#include <cstdint>
#include <vector>

#include "device.h"

#if defined(__wasm__)
namespace cpu {
struct Home { void* from; };  // 続きがない印
struct Fibers {
    void* sp[kMaxThreads];  // 眠っているスレッドの続き
    Home home;
    Here here;  // 他のブロックを動かしている間、覚えておく
    bool (*ready)(uint64_t);  // 他のブロックを待っているなら、続きを動かしてよいか
    uint64_t readyArgument;
};
}  // namespace cpu
#elif defined(__x86_64__)
#define CPU_RESUME "  popq %rbp\n  popq %rcx\n  jmp *%rcx\n"
// name: 眠る。schedule(引数, いまのスタック) が返したスタックの続きを動かす
#define CPU_DEFINE_PARK(name, schedule) \
    asm(".text\n.globl " CPU_SYMBOL(name) "\n" CPU_SYMBOL(name) ":\n  pushq %rbp\n  movq %rsp, %rbp\n"    \
        "  movq %rsp, %rsi\n  andq $-16, %rsp\n  call " CPU_SYMBOL(schedule) "\n  movq %rax, %rsp\n" CPU_RESUME)
// cpu_jump(Jump*): 眠る場所を jump->from に書き、jump->to の続きを動かす
#define CPU_DEFINE_JUMP() \
    asm(".text\n.globl " CPU_SYMBOL("cpu_jump") "\n" CPU_SYMBOL("cpu_jump") ":\n  pushq %rbp\n"           \
        "  movq %rsp, (%rdi)\n  movq 8(%rdi), %rsp\n" CPU_RESUME)
inline void* newFiber(char* top, void (*entry)()) {
    void** sp = (void**)((uintptr_t)top & ~(uintptr_t)15);
    *--sp = nullptr;         // entry から見た戻り番地。戻らない
    *--sp = (void*)entry;
    *--sp = nullptr;         // rbp
    return sp;
}
#else
#define CPU_RESUME "  ldp x29, x30, [sp], #16\n  br x30\n"
#define CPU_DEFINE_PARK(name, schedule) \
    asm(".text\n.p2align 2\n.globl " CPU_SYMBOL(name) "\n" CPU_SYMBOL(name) ":\n  stp x29, x30, [sp, #-16]!\n" \
        "  mov x1, sp\n  bl " CPU_SYMBOL(schedule) "\n  mov sp, x0\n" CPU_RESUME)
#define CPU_DEFINE_JUMP() \
    asm(".text\n.p2align 2\n.globl " CPU_SYMBOL("cpu_jump") "\n" CPU_SYMBOL("cpu_jump") ":\n"              \
        "  stp x29, x30, [sp, #-16]!\n  mov x9, sp\n  str x9, [x0]\n  ldr x9, [x0, #8]\n  mov sp, x9\n" CPU_RESUME)
inline void* newFiber(char* top, void (*entry)()) {
    void** sp = (void**)((uintptr_t)top & ~(uintptr_t)15) - 2;
    sp[0] = nullptr;         // x29
    sp[1] = (void*)entry;    // x30
    return sp;
}
#endif

#ifndef __wasm__
namespace cpu {
struct Jump { void *from, *to; };
struct Fibers {
    void* sp[kMaxThreads];  // 眠っているスレッドのスタック
    std::vector<char*> stacks;  // 各スレッドのスタックの端 (高い方)
    Jump home;  // from: ブロックを動かし始めた場所
};
}  // namespace cpu
#endif
