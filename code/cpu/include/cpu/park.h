// park.h: 眠り方。
//   x86-64 と AArch64: スタックを取り替える (stack.cpp)
//   WebAssembly: スタックは取り替えられない。眠る関数を、コンパイラの中でコルーチンに変える (wasm/waits.js)
#pragma once

namespace cpu {
extern "C" {  // いまのスレッドを眠らせ、次のスレッドへ移る
void cpu_park_barrier(const void* site);
void cpu_park_warp(const void* request);
void cpu_park_yield(const void* site);
void cpu_park_grid(const void* round);  // 全部のブロックがそろうまで (grid.cpp)
}
}  // namespace cpu

#ifndef __wasm__
// アセンブリを呼ぶ。眠って起きるまでに他のスレッドがレジスタを使うので、すべて壊れるとコンパイラに伝える。
// 必要な変数だけをコンパイラがスタックに置く。関数呼び出しの決まりで全部を保存するより速い。
// xmm0 と言えば、その上位の桁 (ymm0, zmm0) も壊れる。
#if defined(__APPLE__)
#define CPU_SYMBOL(name) "_" name
#define CPU_X18  // macOS では OS のもので、コンパイラは使わない
#else
#define CPU_SYMBOL(name) name
#define CPU_X18 "x18",
#endif
#if defined(__AVX512F__)  // -march=native などで使えるようになるレジスタ
#define CPU_MORE                                                                                                \
    "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", \
        "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7",
#elif defined(__ARM_FEATURE_SVE)
#define CPU_MORE                                                                                                       \
    "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13", "p14", "p15", "z0", "z1",  \
        "z2", "z3", "z4", "z5", "z6", "z7", "z8", "z9", "z10", "z11", "z12", "z13", "z14", "z15", "z16", "z17", "z18", \
        "z19", "z20", "z21", "z22", "z23", "z24", "z25", "z26", "z27", "z28", "z29", "z30", "z31",
#else
#define CPU_MORE
#endif
#if defined(__x86_64__)
#define CPU_PARK(name, argument)                                                                                       \
    do {                                                                                                               \
        const void* cpu_a = (argument);                                                                                \
        asm volatile("call " CPU_SYMBOL(#name)                                                                         \
                     : "+D"(cpu_a)::"rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",  \
                       "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
                       "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", CPU_MORE "memory", "cc");                          \
    } while (0)
#elif defined(__aarch64__)
#define CPU_PARK(name, argument)                                                                                      \
    do {                                                                                                              \
        register const void* cpu_a asm("x0") = (argument);                                                            \
        asm volatile("bl " CPU_SYMBOL(#name)                                                                          \
                     : "+r"(cpu_a)::"x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", \
                       "x14", "x15", "x16", "x17", CPU_X18 "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26",    \
                       "x27", "x28", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", \
                       "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24",     \
                       "v25", "v26", "v27", "v28", "v29", "v30", "v31", CPU_MORE "memory", "cc");                     \
    } while (0)
#else
#error "CPU デバイスは x86-64 と AArch64 (arm64) で動く"
#endif
#else
#define CPU_PARK(name, argument) ::cpu::name(argument)
#endif

namespace cpu {
inline constexpr Site kExit{"", 0};  // カーネルの終わりも、全員が着く場所の 1 つ
inline constexpr Site kPoll{"", 0};  // 何かが変わるのを待って、譲った所。行は、眠った命令の番地から分かる
inline constexpr Site kBarrier{"", 0};  // cuda::barrier の人数がそろうのを待つ所
CPU_PLAIN inline void barrier(const Site* s) { CPU_PARK(cpu_park_barrier, s); }
CPU_PLAIN inline void yield(const Site* s = nullptr) { CPU_PARK(cpu_park_yield, s); }
CPU_PLAIN inline void sleep(const Site* s, unsigned) { looked = true, yield(s); }  // 待っている
template <class Read> CPU_PLAIN auto warp(Request r, Read read) {  // read は、結果を、求める型の値として読む
    CPU_PARK(cpu_park_warp, &r);
    return read(r.result);
}

// 見ても変わらない。同じスレッドで何度も続くのは、同じブロックの誰かが変えるのを待つループなので、先を譲る。
// だから、ワープの中の鍵のように、レーンが別々に進むことを頼るプログラムも終わる
struct Poll { unsigned lane, count; };
extern __thread Poll poll;
CPU_PLAIN inline bool pollsLong(bool yields = true) {
    if (poll.lane != here.lane) return poll = {here.lane, 0}, false;
    if (++poll.count < 64 || !here.inKernel || !yields) return false;
    return poll.count = 0, true;
}

#ifndef __wasm__
CPU_PLAIN inline void polled(const void*, bool yields = true) {
    if (pollsLong(yields)) yield(&kPoll);
}
unsigned activeMask(const Site*, const void* caller);

// カーネルの呼び出し call を、ブロックの全スレッドとして、順に 1 つずつ、普通の関数呼び出しで動かす。
// 誰かが待つと、そこからはファイバーで、スタックはスレッドごとに決まる。新しいスタックもここから始める:
// 呼ぶ所が 1 つなら、同じ行へ来たスレッドは、戻り番地も同じである (activeMask)
template <class Call> struct Threads {
    static CPU_PLAIN void* run(void* call) {
        Call& c = *(Call*)call;
        const uint3 first = here.fibers ? threadIdx : uint3{0, 0, 0};
        unsigned lane = here.fibers ? here.lane : 0;
        for (unsigned z = first.z; z < here.blockSize.z; z++)
            for (unsigned y = first.y; y < here.blockSize.y; y++)
                for (unsigned x = first.x; x < here.blockSize.x; x++) {
                    threadIdx = {x, y, z};
                    here.lane = lane++;
                    for (;;) {
                        c();
                        if (__builtin_expect(!here.fibers, 1)) break;
                        CPU_PARK(cpu_park_barrier, &kExit);  // 起きたら、次のブロックの同じスレッドである
                    }
                }
        return nullptr;
    }
};
#else
CPU_PLAIN inline unsigned activeMask(const Site* s, const void* = nullptr) {  // 同じ行に来たレーンの組
    Request r{s, Op::active, 0, 0, uintptr_t(s), 0, {4, false}};
    CPU_PARK(cpu_park_warp, &r);
    return unsigned(r.result);
}
extern "C" void cpu_park_poll(const void* p);
CPU_PLAIN inline void polled(const void* p) { cpu_park_poll(p); }

// カーネルの呼び出し call を、1 つのスレッドとして動かす。途中で眠ったら、その続きを返す (wasm/stack.cpp)
template <class Call> struct Threads {
    static CPU_PLAIN void* run(void* call) { return (*(Call*)call)(), nullptr; }
};
#endif
}  // namespace cpu
// 関数にすると、呼ぶ側の要らないレジスタまでスタックに残り、同じ状態に戻ったかが分からない (endless.cpp)
#define __syncthreads() __extension__({ CPU_PARK(cpu_park_barrier, CPU_SITE); })
#define __activemask() ::cpu::activeMask(CPU_SITE, CPU_CALLER)
