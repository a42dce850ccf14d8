// wait.h: カーネルのスレッドが、どう待ち、どう起きるか。
// 待つたびに眠り (park.h)、code/cpu/exec/fiber.cpp が、schedule.cpp の選んだ次のスレッドを起こす。
#pragma once
#include "devices.h"
#include "managed.h"
#include "stream.h"

namespace cpu {
// いま動いているスレッドから見えるもの。OS スレッドごとに 1 つ。
struct Here {
    uint3 block;  // blockIdx、blockDim、gridDim と同じ
    dim3 blockSize, gridSize;
    unsigned lane;  // ブロックの中の通し番号
    uint64_t blocks;  // この OS スレッドが始めたブロックの数
    bool fibers;  // 誰かが待ったので、スレッドは 1 つずつ別のスタックの上にいる
    bool inKernel;
    bool early;  // 検査のとき: 次のアトミック演算は、ほかの人が書く前にしたことにする。そのときの値が earlier
    uint64_t earlier;
    unsigned leftEarly[32];  // ワープごとに、自分から帰ったレーン
};
inline bool looksBack, blocksApart;  // 検査のとき: ほかの人の値が見える時を変える。2 度目は、ブロックの始まる順も変える
inline bool looked;  // 検査のとき: 同じ所を、値の変わらないまま、続けて見た人がいる。待っているのかもしれない
extern __thread Here here;
CPU_PLAIN inline uint64_t blockNumber() {
    return (uint64_t(here.block.z) * here.gridSize.y + here.block.y) * here.gridSize.x + here.block.x;
}
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
struct Unset {  // 値を入れていないローカル変数
    Site site;
    const char* name;
    bool done;  // もう試した
    unsigned launches;
    uint32_t launch;
};
int toolUnset(Unset&);  // 試しに入れるバイト。入れないなら -1
long long clockNow();  // exec/kernel.cpp
}  // namespace cpu
#include "park.h"
