// callbacks.h: -fsanitize=thread でコンパイルしたリストが、メモリに触れる直前に呼ぶ関数。
// 検査の道具 (ThreadSanitizer の実行時の部品) はつながず、
// ここで受けて onAccess(アドレス, バイト数, 種類, 命令の番地) に渡す。
// 道具ごとに、onAccess を先に定義してからこのファイルを読み込む。関数の出入りも知りたければ、CPU_CALL(1 か -1) も。
// clang-format off: マクロの列は、書式をそろえると読めなくなる
#pragma once
#include <cstdint>
#include <cstring>

#ifndef CPU_TOUCH_VOLATILE  // volatile の読み書きを分けない道具
#define CPU_TOUCH_VOLATILE onAccess
#endif
#ifndef CPU_OVERLAP  // memcpy の写す元と先が重なっている
#define CPU_OVERLAP(to, pc) (void)0
#endif
#ifndef CPU_CALL
#define CPU_CALL(change)
#endif
#ifdef __wasm__
#include "../wasm/watch.h"
#define CPU_PC ::cpu::tick(CPU_CALLER)
#undef CPU_CALL
#define CPU_CALL ::cpu::noteCall  // コルーチンは、眠ると戻る。だから、どのスレッドの呼び出しかは分からない
#define CPU_VOLATILE_PC ::cpu::tick(CPU_CALLER, p)
#define CPU_VOLATILE CPU_TOUCH_VOLATILE
#else
#define CPU_PC CPU_CALLER
#define CPU_VOLATILE_PC CPU_CALLER
namespace cpu {
bool cooperativeLaunch();
static inline void look(bool write) {  // volatile を読むだけなら、待っている。協調起動なら、別のブロックに渡す
    if (write) poll.count = 0;
    else if (here.inKernel) polled(nullptr, looksBack || cooperativeLaunch());
}
}  // namespace cpu
#define CPU_VOLATILE(p, n, kind, pc) (look(kind == Kind::write), CPU_TOUCH_VOLATILE(p, n, kind, pc))
#endif
#define CPU_READ(name, n) void name(void* p) { onAccess((char*)p, n, Kind::read, CPU_PC); }
#define CPU_WRITE(name, n) void name(void* p) { onAccess((char*)p, n, Kind::write, CPU_PC); }
#define CPU_BOTH(name, n)                              \
    void name(void* p) {                               \
        onAccess((char*)p, n, Kind::read, CPU_PC);     \
        onAccess((char*)p, n, Kind::write, CPU_PC);    \
    }
#define CPU_SIZE(n)                                                                                          \
    CPU_READ(__tsan_read##n, n) CPU_WRITE(__tsan_write##n, n) CPU_BOTH(__tsan_read_write##n, n)              \
    CPU_READ(__tsan_unaligned_read##n, n) CPU_WRITE(__tsan_unaligned_write##n, n)                            \
    CPU_BOTH(__tsan_unaligned_read_write##n, n)                                                              \
    void __tsan_volatile_read##n(void* p) { CPU_VOLATILE((char*)p, n, Kind::read, CPU_VOLATILE_PC); }         \
    void __tsan_volatile_write##n(void* p) { CPU_VOLATILE((char*)p, n, Kind::write, CPU_VOLATILE_PC); }
using namespace cpu;
extern "C" {
CPU_SIZE(1) CPU_SIZE(2) CPU_SIZE(4) CPU_SIZE(8) CPU_SIZE(16)
void __tsan_read_range(void* p, size_t n) { onAccess((char*)p, unsigned(n), Kind::read, CPU_PC); }
void __tsan_write_range(void* p, size_t n) { onAccess((char*)p, unsigned(n), Kind::write, CPU_PC); }
static void* move(void* to, const void* from, size_t n, void* pc) {
    onAccess((char*)from, unsigned(n), Kind::read, pc);
    onAccess((char*)to, unsigned(n), Kind::write, pc);
    return memmove(to, from, n);
}
void* __tsan_memcpy(void* to, const void* from, size_t n) {
    if (n && to != from && size_t((char*)to - (char*)from) + n - 1 < 2 * n - 1) CPU_OVERLAP(to, CPU_CALLER);
    return move(to, from, n, CPU_PC);
}
void* __tsan_memmove(void* to, const void* from, size_t n) { return move(to, from, n, CPU_PC); }
void* __tsan_memset(void* p, int v, size_t n) {
    onAccess((char*)p, unsigned(n), Kind::write, CPU_PC);
    return memset(p, v, n);
}
void __tsan_func_entry(void*) { CPU_CALL(1); }
void __tsan_func_exit() { CPU_CALL(-1); }
void __tsan_init() {}
void __tsan_vptr_update(void** p, void*) { onAccess((char*)p, sizeof p, Kind::write, CPU_PC); }
void __tsan_vptr_read(void**) {}
// ホスト側の静的変数の初期化や std::atomic は、アトミックな読み書きとして入ってくる
#define CPU_ATOMICS(bits, T) \
    T __tsan_atomic##bits##_load(const volatile T* p, int) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); } \
    void __tsan_atomic##bits##_store(volatile T* p, T v, int) { __atomic_store_n(p, v, __ATOMIC_SEQ_CST); } \
    T __tsan_atomic##bits##_exchange(volatile T* p, T v, int) { return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); } \
    T __tsan_atomic##bits##_fetch_add(volatile T* p, T v, int) { return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); } \
    T __tsan_atomic##bits##_fetch_sub(volatile T* p, T v, int) { return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST); } \
    T __tsan_atomic##bits##_fetch_and(volatile T* p, T v, int) { return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST); } \
    T __tsan_atomic##bits##_fetch_or(volatile T* p, T v, int) { return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST); } \
    T __tsan_atomic##bits##_fetch_xor(volatile T* p, T v, int) { return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST); } \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* e, T v, int, int) { \
        return __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
CPU_ATOMICS(8, uint8_t) CPU_ATOMICS(16, uint16_t) CPU_ATOMICS(32, uint32_t) CPU_ATOMICS(64, uint64_t)
}
