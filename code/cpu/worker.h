// worker.h: OS スレッド 1 つと、それが今動かしているブロック。
#pragma once
#include <pthread.h>

#include <vector>

#include "fiber.h"
#include "schedule.h"

namespace cpu {
// 見張り (watch.cpp) のため。look: 命令の位置とレジスタを見せる。stop: 報告してやめる
enum class Order { none, look, stop };
struct Returns {  // 同じ状態に戻ったか (state.cpp)
    uint64_t rounds, checks, missed, since, next, stacks, memory;
    bool returned;
    const Site* site;  // 最後に待った所
};
struct Worker : Schedule, Fibers {
    unsigned number;  // 1, 2, …
    uint64_t next, end;  // 受け持ちのブロックの番号
    std::atomic<bool> busy, waitingForGrid;
    const unsigned* lane;  // 他の OS スレッドから見た here.lane
    Returns returns;
    std::atomic<Order> order;
    bool reporting;  // 報告している: 途中で止めない
    uint64_t looks[512];  // look で見えた状態
    unsigned looked, again;  // その数、そのうち前にも見た状態の数
    pthread_t os;
    std::vector<char> shared;  // 動的共有メモリ
};
extern __thread Worker* self;

bool takeBlock(Worker&);     // grid.cpp: 次のブロックを始める。もうなければ false
void beginShare(Worker&);    // grid.cpp: この起動での受け持ちの、始めと終わり
void endShare(Worker&);
void prepareFibers(Worker&);  // stack.cpp: 起動のたびに
void runBlocks(Worker&);     // stack.cpp: takeBlock が渡すブロックを、なくなるまで動かす
uint64_t memoryHash();  // memory.cpp: デバイスのメモリの中身。大きくて調べきれなければ 0
// endless.cpp: 終わらない。待つ所のないループ、待つ所のあるループ、ホストのループ
[[noreturn]] void failStuck(const std::string& at, bool waiting);
[[noreturn]] void failEndless(const Site*);
[[noreturn]] void failHost(const std::string& at);
bool suspected(Worker&);  // watch.cpp: 同じ状態に戻ったかを、調べ始めてよいか
uint64_t stacksHash(const Worker&);  // stack.cpp: 眠っているスレッドの中身
std::string whereAsleep(const Worker&, unsigned t);  // stack.cpp: スレッド t が眠った行
[[noreturn]] void leaveBlock();  // stack.cpp: ブロックを途中でやめて、runBlocks を呼んだ所へ戻る
void* freshThread(Worker&, unsigned t);  // stack.cpp: まだ始めていないスレッド t の続き
}  // namespace cpu
