// exec.h: カーネルを動かす。眠るスレッド、次に動くスレッド、OS スレッドとその組。
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "../memory/memory.h"
#include "../tools/tool.h"

// ---------------------------------------------------------------- 眠っているスレッドの続き。
// WebAssembly では、コルーチンの番地 (wasm/waits.js)。ほかでは、スタックの先頭に、次の 2 語だけを残す。
//   x86-64: [rbp][続きの番地]      AArch64: [x29][x30 = 続きの番地]
// 続きへは ret でなく間接ジャンプで移る。ret だと CPU の戻り番地の予測が外れ、1 回あたり数 ns 遅くなる。
namespace cpu {
using Ready = bool (*)(uint64_t);
struct Jump { void *from, *to; };
constexpr unsigned kAhead = 8;  // まもなく動くスレッドまで
struct Fibers {
    void* sp[kMaxThreads + kAhead];  // 眠っているスレッドの続き
    Jump home;  // from: ブロックを動かし始めた場所。WebAssembly では、続きがない印
#ifdef __wasm__
    Here here;  // 他のブロックを動かしている間、覚えておく
    Ready ready;  // 他のブロックを待っているなら、続きを動かしてよいか
    uint64_t readyArgument;
#else
    std::vector<char*> stacks;  // 各スレッドのスタックの端 (高い方)
#endif
};
}  // namespace cpu

// ---------------------------------------------------------------- 次に動くスレッド
// 1 つのブロックの中で、次に動くスレッドを決める。スレッドをどう止めてどう起こすか (fiber.cpp) は知らない。
//
// 決め方は 2 つある。
//   行進 (sweep): 全員が 0, 1, 2, … の順に同じ __syncthreads() に着く。番号を 1 つ進めるだけでよい。
//   ほとんどの場合はこれ。
//   一般 (general): 着く場所が分かれたとき、ワープの関数、途中で終わるスレッド。ワープごとにビットで管理する。
namespace cpu {
constexpr unsigned kBlockFinished = ~0u;  // 次に動くスレッドはない: 全員が終わった

struct Warp {
    unsigned live, ready, atBarrier, atWarp, atActive, yielded;  // レーンのビット
    Request* request[32];
};
struct Schedule {
    unsigned threads, warps;
    bool general, oneDimension;
    const Site* sweep;  // 行進: ここに全員が順に着きつつある
    unsigned live, arrived;  // 一般: 生きている数、バリアに着いた数
    const Site* barrier;  // 一般: 最初の 1 人が着いたバリア
    bool diverged;  // 別のバリアに着いた者がいる
    volatile unsigned progress;  // 見張り (watch.cpp) のため: 進むたびに変わる
    volatile bool watched;  // 見張りが疑っている
    const Site* site[kMaxThreads];  // どこで眠っているか
    uint3 index[kMaxThreads];
    Warp warp[kMaxThreads / 32];
};
void beginSchedule(Schedule&, const dim3& block);  // 起動のたびに

// いまのスレッドが、そこに着いた (終わった、譲った)。次に動くスレッドを返す
unsigned arrive(Schedule&, const Site*);
unsigned arriveAtWarp(Schedule&, Request*);
unsigned yieldThread(Schedule&, const Site*);

// ここから下は、schedule.cpp と warp.cpp の中だけで使う
bool tryWarp(Schedule&, unsigned warp, unsigned mask);  // warp.cpp: mask の生きている全員が着いたら、結果を配って起こす
void releaseActive(Warp&);  // warp.cpp: 同じ所に来たレーンを 1 組にして起こす

// 誰かが進んだ。見張りが疑っているときだけ、前と同じ状態に戻ったのなら進んだと数えない
bool returnedToState(const Site*);  // endless.cpp
inline void countProgress(Schedule& s, const Site* site = nullptr) {
    if (__builtin_expect(site && s.watched, 0) && returnedToState(site)) return;
    s.progress = s.progress + 1;
}
inline unsigned startSweep(Schedule& s) {  // 全員が起きていて、0 番から順に動く
    s.general = false;
    s.sweep = nullptr;
    return 0;
}
// t は、site で where の 1 人になる
inline __attribute__((always_inline)) void settle(Schedule& s, unsigned t, const Site* site, unsigned Warp::* where) {
    s.site[t] = site;
    s.warp[t / 32].ready &= ~(1u << t % 32);
    s.warp[t / 32].*where |= 1u << t % 32;
}
inline void setCurrent(const Schedule& s, unsigned t) {
    here.lane = t;
    if (__builtin_expect(s.oneDimension, 1)) threadIdx.x = t;
    else threadIdx = s.index[t];
}
inline int lowest(unsigned bits) { return __builtin_ctz(bits); }
inline unsigned firstLanes(unsigned n) { return n < 32 ? (1u << n) - 1 : ~0u; }  // 初めの n レーン

// ---------------------------------------------------------------- OS スレッド 1 つと、それが今動かしているブロック。
struct Returns {  // 同じ状態に戻ったか (endless.cpp)
    uint64_t rounds, checks, missed, since, stacks, memory;
    double next;
    bool returned;
    const Site* site;  // 最後に待った所
    double begun, returnedSince;  // ここからは wasm/watch.cpp
    unsigned waits;
    bool late;
};
struct Worker : Schedule, Fibers {
    unsigned number;  // 1, 2, …
    uint64_t next, end;  // 受け持ちのブロックの番号
    bool busy, waitingForGrid, givesWay;  // givesWay: ほかのブロックに渡している
    Returns returns;
    volatile bool stop;  // 次に待つときに、終わらないと報告してやめる (watch.cpp)
    bool reporting;  // 報告している: 途中で止めない
    std::vector<char> shared;  // 動的共有メモリ
};
extern __thread Worker* self;

bool takeBlock(Worker&);  // grid.cpp: 次のブロックを始める。もうなければ false
void handOver(const Site*);  // grid.cpp: ブロックの全員が何かを待つ。入れ替わって進むなら、次のブロックに渡す
void takeBack(Worker&);  // grid.cpp: 渡したブロックの続きを動かす
void beginShare(Worker&);  // grid.cpp: この起動での受け持ちの、始めと終わり
void endShare(Worker&);
void prepareFibers(Worker&);  // stack.cpp: 起動のたびに
void runBlocks(Worker&);  // stack.cpp: takeBlock が渡すブロックを、なくなるまで動かす
uint64_t memoryHash();  // memory.cpp: デバイスのメモリの中身。大きくて調べきれなければ 0
// endless.cpp: 終わらない。待つ所のないループ、待つ所のあるループ、ホストのループ
[[noreturn]] void failStuck(const std::string& at, bool waiting);
[[noreturn]] void failEndless(const Site*);
[[noreturn]] void failHost(const std::string& at);
void watchMe();  // watch.cpp: この OS スレッドを見張る
bool suspected(Worker&);  // watch.cpp: 同じ状態に戻ったかを、調べ始めてよいか
uint64_t stacksHash(const Worker&);  // stack.cpp: 眠っているスレッドの中身
std::string whereAsleep(const Worker&, unsigned t);  // stack.cpp: スレッド t が眠った行
[[noreturn]] void leaveBlock();  // stack.cpp: ブロックを途中でやめて、runBlocks を呼んだ所へ戻る
void* freshThread(Worker&, unsigned t);  // stack.cpp: まだ始めていないスレッド t の続き
}  // namespace cpu

// ---------------------------------------------------------------- OS スレッド
// ブロックを動かす OS スレッド (pool.cpp)。1 度作ったら、プログラムの終わりまで使う
namespace cpu {
// count 個の OS スレッド (呼んだスレッドも 1 つに数える) が、mayStart になってから受け持ちを動かす。
// 全部が終わるまで待つ
void runOnAll(unsigned count, Ready mayStart);
// 協調起動のバリア: 他の OS スレッドが見ているものを変える。変わって ready になるまで待つ
void change(void (*f)());
void until(Ready ready, uint64_t x);

constexpr bool kInPage = sizeof(size_t) == 4;  // WebAssembly では、協調起動のブロックも 1 つずつ動く
const Launch& runningLaunch();  // grid.cpp
// launch.cpp
void defer(cudaStream_t, std::unique_ptr<Operation>);  // カーネルの中から submit したもの。グリッドが終わってから動かす
void runChildren();  // いま終わったグリッドが、カーネルの中から起動したもの
void waitForGrid(uint64_t round);  // grid.cpp: 全部のブロックがそろうのを待つ
// progress.cpp
void beginProgress();
void showProgress(uint64_t done, uint64_t all);  // 配り終えたブロックの数と、全部の数
void endProgress();
}  // namespace cpu
