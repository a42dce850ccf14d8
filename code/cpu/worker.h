// worker.h: OS スレッド 1 つと、それが今動かしているブロック。
#pragma once
#include <pthread.h>

#include <vector>

#include "fiber.h"
#include "schedule.h"

namespace cpu {
struct Worker : Schedule, Fibers {
    unsigned number;  // 1, 2, …
    uint64_t next, end;  // 受け持ちのブロックの番号
    std::atomic<bool> busy, waitingForGrid;
    const unsigned* lane;  // 他の OS スレッドから見た here.lane
    pthread_t os;
    std::vector<char> shared;  // 動的共有メモリ
};
extern __thread Worker* self;

bool takeBlock(Worker&);     // grid.cpp: 次のブロックを始める。もうなければ false
void beginShare(Worker&);    // grid.cpp: この起動での受け持ちの、始めと終わり
void endShare(Worker&);
void prepareFibers(Worker&);  // stack.cpp: 起動のたびに
void runBlocks(Worker&);     // stack.cpp: takeBlock が渡すブロックを、なくなるまで動かす
[[noreturn]] void leaveBlock();  // stack.cpp: ブロックを途中でやめて、runBlocks を呼んだ所へ戻る
void* freshThread(Worker&, unsigned t);  // stack.cpp: まだ始めていないスレッド t の続き
}  // namespace cpu
