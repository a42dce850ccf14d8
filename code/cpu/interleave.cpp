// interleave.cpp: わざと誤ったリストのために、メモリに触れる直前で他のスレッドを割り込ませる。
// CPU デバイスは普段、1 つのスレッドを待つ所まで続けて動かす。だから競合があっても、たまたま正しい合計になりうる。
// そこで、わざと誤ったリストだけは -fsanitize=thread でコンパイルする。コンパイラがメモリに触れるたびに入れる呼び出しを、
// 検査の道具の代わりにここで受け、2 回に 1 回、次のスレッドに譲る。GPU で起きることが、小さな N でも毎回起きる。
#include "device.h"

static void maybeYield() {
    if (!cpu::here.inKernel) return;
    static thread_local uint32_t x = 2463534242u;  // xorshift32: いつも同じ列なので、結果も毎回ほぼ同じ
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    if (x & 1) cpu::yield();
}
#define ACCESS(name) void name(void*) { maybeYield(); }
#define ACCESSES(kind) ACCESS(kind##1) ACCESS(kind##2) ACCESS(kind##4) ACCESS(kind##8) ACCESS(kind##16)
extern "C" {
ACCESSES(__tsan_read)
ACCESSES(__tsan_write)
ACCESSES(__tsan_read_write)
ACCESSES(__tsan_unaligned_read)
ACCESSES(__tsan_unaligned_write)
ACCESSES(__tsan_unaligned_read_write)
ACCESSES(__tsan_volatile_read)
ACCESSES(__tsan_volatile_write)
void __tsan_read_range(void*, size_t) { maybeYield(); }
void __tsan_write_range(void*, size_t) { maybeYield(); }
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_init() {}
void* __tsan_memcpy(void* to, const void* from, size_t n) { return memcpy(to, from, n); }
void* __tsan_memmove(void* to, const void* from, size_t n) { return memmove(to, from, n); }
void* __tsan_memset(void* p, int v, size_t n) { return memset(p, v, n); }
}
// ホスト側の静的変数の初期化は、アトミックな読み書きとして入ってくる
#define ATOMIC(bits, T)                                                                                     \
    extern "C" T __tsan_atomic##bits##_load(const volatile T* p, int) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); } \
    extern "C" void __tsan_atomic##bits##_store(volatile T* p, T v, int) { __atomic_store_n(p, v, __ATOMIC_SEQ_CST); }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
