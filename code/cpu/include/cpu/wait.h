// wait.h: カーネルのスレッドが、どう待ち、どう起きるか。
// 待つたびに眠り、code/cpu/fiber.cpp が、schedule.cpp の選んだ次のスレッドを起こす。眠り方は 2 つある。
//   park.h       x86-64 と AArch64: スタックを取り替える。待つ関数も、普通の関数である
//   coroutine.h  WebAssembly: スタックは取り替えられない。待つ関数は、コルーチンになる
// どちらでも同じに書けるように、待つ関数では、型を CPU_WAITS(T)、
// 待つ呼び出しを CPU_WAIT f()、return を CPU_RETURN と書く。
#pragma once
#include "api.h"

namespace cpu {
// いま動いているスレッドから見えるもの。OS スレッドごとに 1 つ。
struct Here {
    uint3 block;  // blockIdx、blockDim、gridDim と同じ
    dim3 blockSize, gridSize;
    unsigned lane;  // ブロックの中の通し番号
    uint64_t blocks;  // この OS スレッドが始めたブロックの数
    bool fibers;  // 誰かが待ったので、スレッドは 1 つずつ別のスタックの上にいる
    bool inKernel;
};
extern __thread Here here;
}  // namespace cpu

// マクロではなく変数なので、読者が同じ名前を変数や引数やメンバーに付けたら、その中ではそれが勝つ
extern __thread uint3 threadIdx, blockIdx;
extern __thread dim3 blockDim, gridDim;
constexpr int warpSize = 32;

namespace cpu {
enum class Op { sync, shuffle, ballot, match, active, addU, minS, maxS, minU, maxU, andU, orU, xorU };
struct Request {  // ワープの関数を呼んだレーンが、自分のスタックに置く
    const Site* site;
    Op op;
    unsigned mask, from;
    uint64_t value, result;
    Element element;  // value の型
};
}  // namespace cpu
#ifdef __wasm__
#include "coroutine.h"
#else
#include "park.h"
#endif
