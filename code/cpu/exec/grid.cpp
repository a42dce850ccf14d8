// grid.cpp: グリッドを動かす。ブロックを OS スレッドに配り、ブロックの中のスレッドは 1 つの OS スレッドが順に動かす。
//   runGrid → runOnAll → (OS スレッドごとに) beginShare, runBlocks ⇄ takeBlock, endShare
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <set>

#include "cpu/intrinsics.h"
#include "cpu/warp.h"
#include "../device/device.h"
#include "exec.h"

namespace cpu {
static const Launch* running;
static uint64_t blockCount;
static std::atomic<uint64_t> nextBlock;
static unsigned chunk;  // 一度に受け持つブロックの数
// ブロックが、待つたびに入れ替わって進む: 協調起動と、検査する小さなグリッド
static bool together;
static std::atomic<bool> aborted;
// ブロックを始める順番。CUDA は約束しない。k 番目に始めるのは、k < count なら (first + k * step) % count、ほかは k。
// 環境変数 BLOCK_ORDER=reversed か、種の数で変わる。検査の 2 度目は、離れた番号の順に始める。
// 終わりのブロックは、ほかを待つのかもしれない。1 度目に誰も待たなかったカーネルでだけ、順を変える
static struct { uint64_t first, step, count; } order;
static std::set<std::string> hasty;  // 何ブロックかで動き、誰も待たなかったもの
static void chooseOrder() {
    order = {};
#ifdef __wasm__
    const char* const asked = nullptr;  // ページには、環境変数がない
#else
    const char* const asked = getenv("BLOCK_ORDER");
#endif
    const bool apart = !asked && blocksApart && toolAttached();
    const uint64_t blocks = blockCount - (apart && !hasty.count(running->name));
    if ((!asked && !apart) || blocks < 2) return;
    if (asked && !strcmp(asked, "reversed")) return void(order = {blocks - 1, blocks - 1, blocks});
    char* end;
    const uint64_t seed = apart ? 1 : strtoull(asked, &end, 10);
    if (!apart && (end == asked || *end)) {
        fprintf(stderr, "BLOCK_ORDER=%s は知らない順番: reversed か、順番の種にする整数を指定する\n", asked);
        exit(2);
    }
    uint64_t step = (seed * 0x9E3779B9u >> 8) % blocks;  // ブロックの数と互いに素なら、どのブロックも 1 度ずつ
    while (std::gcd(step, blocks) != 1) step++;
    order = {seed % blocks, step, blocks};
}

const Launch& runningLaunch() { return *running; }
void fillWithGarbage(void* p, size_t bytes) { memset(p, 0xff, bytes); }
char* dynamicShared() { return self->shared.data(); }
bool claimReport() {
    const bool mine = !aborted.exchange(true);
    if (mine && self) self->reporting = true;
    return mine;
}
void abortBlock(cudaError_t e) {
    aborted = true;
    setSticky(e);
    leaveBlock();
}

bool takeBlock(Worker& w) {
    if (aborted.load(std::memory_order_relaxed)) return false;
    if (w.next == w.end) {
        w.next = nextBlock.fetch_add(chunk, std::memory_order_relaxed);
        w.end = std::min<uint64_t>(w.next + chunk, blockCount);
        if (w.next >= blockCount) return false;
        showProgress(w.next, blockCount);
    }
    const uint64_t k = w.next++, b = k < order.count ? (order.first + k * order.step) % order.count : k;
    const dim3& g = here.gridSize;
    here.block = {unsigned(b % g.x), unsigned(b / g.x % g.y), unsigned(b / g.x / g.y)};
    blockIdx = here.block;
    static std::atomic<uint64_t> begun;
    here.blocks = begun.fetch_add(1, std::memory_order_relaxed) + 1;
    countProgress(w);
    w.returns = Returns{};
    toolBlockBegin(b);
    if (running->sharedBytes) fillWithGarbage(w.shared.data(), running->sharedBytes);  // cpu/shared.h
    return true;
}

// ---------------------------------------------------------------- グリッド全体の同期 (協調起動)
// ブロックが入れ替わって進むときは、ブロックごとに OS スレッドを 1 つ使う。だから小さなグリッドだけ。
static unsigned gridArrived, gridFinished;
static uint64_t gridRound;
// 検査では、出来事に順番を付けるために、動くブロックを 1 つにする。待つか終わるかしたら、次の OS スレッドに渡す
static unsigned baton;  // 動いてよい OS スレッドの番号
enum class Stage : char { running, waiting, ended };  // waiting: grid.sync() で
static std::vector<Stage> stages;  // OS スレッドごと
static unsigned calm;  // 続けて何度、前と同じ状態に戻ったブロックが渡したか
static void passBaton(Stage mine, bool wakeAll) {
    stages[self->number - 1] = mine;
    for (Stage& s : stages)
        if (wakeAll && s == Stage::waiting) s = Stage::running;
    for (size_t k = 0; k < stages.size(); k++) {
        baton = baton % unsigned(stages.size()) + 1;
        if (stages[baton - 1] == Stage::running) break;
    }
}
static bool mayStart(uint64_t) { return !together || !toolAttached() || baton == self->number || aborted; }
static bool mayLeave(uint64_t round) {
    return ((gridRound != round || gridFinished > 0) && mayStart(round)) || aborted;
}

bool cooperativeLaunch() { return running->cooperative; }
void notCooperative() { failBlock("grid.sync() は cudaLaunchCooperativeKernel で起動したカーネルでだけ使える"); }
void beyondBounds() { failBlock("__launch_bounds__ に書いた数より多いスレッドで起動した: GPU は起動しない"); }
uint64_t arriveAtGrid() {
    const uint64_t round = gridRound;  // 次の回に進むのは、このブロックが着いてから
    self->waitingForGrid = true;
    change([] {
        const bool all = ++gridArrived == blockCount;
        toolGridArrive(all);
        if (all) {
            gridArrived = 0;
            gridRound++;
        }
        passBaton(Stage::waiting, all);
    });
    return round;
}
void waitForGrid(uint64_t round) { until(mayLeave, round); }
void leaveGrid(uint64_t round) {
    const bool stuck = gridRound == round && !aborted;
    toolGridLeave(blockNumber());
    self->waitingForGrid = false;
    if (stuck) failBlock("デッドロック: grid.sync() に来ないまま終わったブロックがある");
    if (aborted) leaveBlock();
}
void handOver(const Site* site) {
    static double since;
    if (!together || (!kInPage && !toolAttached())) return;  // OS スレッドが別なら、渡さなくても進む
    self->watched = true;
    calm = self->returns.returned ? calm + 1 : 0;
    if (calm < stages.size()) since = seconds();
    else if (seconds() - since > kStuckSeconds) failEndless(site);
    toolGridArrive(false);
    change([] { passBaton(Stage::running, false); });
    self->givesWay = true;
    until(mayStart, 0);
    if (!kInPage) takeBack(*self);  // ページでは、渡す所 (wasm/stack.cpp) が呼ぶ
}
void takeBack(Worker& w) {
    w.givesWay = false;
    leaveGrid(~uint64_t(0));
}

// ---------------------------------------------------------------- 起動
void beginShare(Worker& w) {
    const Launch& l = *running;
    gridDim = here.gridSize = l.grid;
    blockDim = here.blockSize = l.block;
    threadIdx = {0, 0, 0};
    beginSchedule(w, l.block);
    prepareFibers(w);
    w.next = w.end = 0;
    w.reporting = false;
    w.stop = false;
    if (w.shared.size() < l.sharedBytes) w.shared.resize(l.sharedBytes);
    w.busy = here.inKernel = true;
    poll = {};  // もう 1 度動かしても、同じ所で譲る
}
void endShare(Worker& w) {
    if (together)
        change([] {
            gridFinished++;
            passBaton(Stage::ended, true);
        });
    w.busy = here.inKernel = here.fibers = false;
}
void runGrid(const Launch& l) {
    const Exclusive lock;
    if (stickyError()) {
        remember(stickyError());
        return;
    }
    running = &l;
    blockCount = uint64_t(l.grid.x) * l.grid.y * l.grid.z;
    if (!muted) chooseOrder();  // 試しに動かすときは、比べるものと同じ順
    nextBlock = 0;
    aborted = looked = false;
    gridArrived = gridFinished = 0;
    // 検査では、出来事に順番を付けるために 1 つの OS スレッドで動かす
    constexpr unsigned kTogether = 16;
    const unsigned cores = toolAttached() ? 1 : coreCount();
    together = l.cooperative || (toolAttached() && blockCount <= kTogether);
    const unsigned count = unsigned(together ? blockCount : std::min<uint64_t>(cores, blockCount));
    chunk =
        together ? 1 : unsigned(std::min<uint64_t>(4096, std::max<uint64_t>(1, blockCount / (uint64_t(count) * 16))));
    baton = 1;
    stages.assign(count, Stage::running);
    calm = 0;
    openMemory();
    toolLaunchBegin(l, count);
    beginProgress();
    runOnAll(count, mayStart);
    endProgress();
    toolLaunchEnd();
    if (looked) hasty.erase(l.name);
    else if (looksBack && blockCount > 1) hasty.insert(l.name);
    closeMemory();
    if (aborted) remember(stickyError());
    runChildren();
}
}  // namespace cpu

void __trap() { cpu::failBlock("カーネルが __trap() を呼んだ"); }
