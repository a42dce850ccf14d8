// wasm/stack.cpp: スレッドの続きは、コルーチンの番地である (WebAssembly)。
// 眠ったスレッドは、ここ (runThreads) まで戻ってくる。だから、スタックはいつも 1 つで足りる。
#include <algorithm>
#include <csetjmp>

#include "../exec/exec.h"
#include "watch.h"

namespace cpu {
inline constexpr char kFresh = 0;  // まだ始めていないスレッドの続きは、この番地
static void* const kNobody = nullptr;  // 動かすスレッドはもうない (Home::from)

// ---------------------------------------------------------------- コルーチンの変数を置く所
// 同じ大きさばかりなので、使い終えた所をすぐ使い回す
constexpr size_t kUnit = 32, kChunkBytes = 64 * 1024;
struct Free { Free* next; };
static std::vector<Free*> freeFrames;  // kUnit バイトごとの大きさ
struct Chunk {
    char* p;
    size_t bytes;
};
static std::vector<Chunk> chunks;
static char* rest;  // 最後の塊の、まだ切り出していない所
static size_t restBytes;
extern "C" void* cpu_new_frame(size_t bytes) {
    const size_t k = (bytes + kUnit - 1) / kUnit, size = k * kUnit;
    if (k >= freeFrames.size()) freeFrames.resize(k + 1);
    if (Free* f = freeFrames[k]) {
        freeFrames[k] = f->next;
        return f;
    }
    if (size > restBytes) {
        restBytes = std::max(size, kChunkBytes);
        chunks.push_back({rest = (char*)calloc(restBytes, 1), restBytes});
        if (!rest) stopProgram("CPU デバイス: スレッドの変数を置くメモリがない: ブロックを小さくする\n");
    }
    char* p = rest;
    rest += size;
    restBytes -= size;
    return p;
}
extern "C" void cpu_delete_frame(void* p, size_t bytes) {
    Free*& head = freeFrames[(bytes + kUnit - 1) / kUnit];
    head = new (p) Free{head};
}
void forgetFrames() {
    for (const Chunk& c : chunks) free(c.p);
    chunks.clear();
    freeFrames.clear();
    restBytes = 0;
}

// ---------------------------------------------------------------- 動かす
__thread Poll poll;
static jmp_buf home;
static int before;  // runBlocks を呼んだときの nested
void prepareFibers(Worker& w) { w.home.from = kNobody; }
void* freshThread(Worker&, unsigned) { return (void*)&kFresh; }
// コンパイラの作るコルーチン (waits.js)
struct Frame {
    void (*resume)(Frame*);
    void (*destroy)(Frame*);
    Frame* caller;  // 終わるのを待っている関数
};
extern "C" {
void* cpu_next;  // 次に動かす続き
alignas(16) char cpu_result[256];  // 待つ関数が返した値
// 眠る関数は、続きを cpu_next に置いて、runThreads まで戻ってくる
#define CPU_SLEEP(name, Argument)            \
    void* cpu_sleep_##name(Argument, void*); \
    void cpu_wait_##name(Argument a, void* frame) { cpu_next = cpu_sleep_##name(a, frame); }
CPU_SLEEP(barrier, const Site*)
CPU_SLEEP(warp, Request*)
CPU_SLEEP(yield, const Site*)
void cpu_wait_grid(const uint64_t* round, void* frame) {
    waitForGrid(*round);
    self->sp[here.lane] = frame;
    cpu_next = kNobody;
}
void cpu_wait_pass(const void*, void* frame) { cpu_wait_yield(&kPoll, frame); }
// 次の所で、先を譲るか (waits.js): わざと誤ったリストがメモリに触れる。検査で、アトミック演算か volatile を読む前。
// 見ても変わらない
bool cpu_gives_access(const void*) { return coin() || !here.fibers; }
bool cpu_gives_again(const void* p) { return toolAgain(p); }
bool cpu_gives_poll(const void* p) { return tick(cpu_place, p), pollsLong(); }
}
static void finishThread(Frame*) { cpu_wait_barrier(&kExit, (void*)&kFresh); }
static Frame finished{finishThread, nullptr, nullptr};
static bool sleeps() {  // 1 つのスレッドを始める。途中で眠ったら true
    Frame* const f = (Frame*)runningLaunch().run(runningLaunch().closure);
    if (f) f->caller = &finished;
    return f;
}
static void runThreads() {
    while (cpu_next != kNobody && !self->givesWay) {
        nested = before;
        if (cpu_next != &kFresh) ((Frame*)cpu_next)->resume((Frame*)cpu_next);
        else if (!sleeps()) finishThread(nullptr);
    }
}
// 順に 1 つずつ、普通の関数呼び出しで。誰かが眠ると、そこからはファイバー
static void runBlock() {
    for (unsigned t = 0; t < self->threads; t++) {
        setCurrent(*self, t);
        if (sleeps()) return runThreads();
    }
}
static void run(Worker& w) {
    const bool resumed = w.waitingForGrid || w.givesWay;
    if (w.givesWay) takeBack(w);
    if (resumed) return runThreads();
    // 誰かが眠ったら、残りのブロックは runThreads が動かしている
    while (!here.fibers && takeBlock(w)) runBlock();
}
// ブロックがなくなるか、他のブロックを待つか (waitingForGrid)、渡すか (givesWay) するまで動かす
void runBlocks(Worker& w) {
    before = nested;
    stackEnd = (const char*)__builtin_frame_address(0) - kStackBytes;
    if (setjmp(home) == 0) run(w);
    else w.waitingForGrid = w.givesWay = false;  // ブロックを途中でやめた
    nested = before;
    stackEnd = nullptr;
}
void leaveBlock() { longjmp(home, 1); }
bool inStacks(const void*) { return false; }
bool ownVariables(const void* p) {
    if (size_t((const char*)p - (const char*)&here) < sizeof here) return true;
    for (const Chunk& c : chunks)
        if (size_t((const char*)p - c.p) < c.bytes) return true;
    return false;
}
uint64_t stacksHash(const Worker& w) {
    uint64_t h = hashBytes(w.sp, w.threads * sizeof *w.sp);
    for (const Chunk& c : chunks) h = hashBytes(c.p, c.bytes, h);
    return h;
}
std::string whereAsleep(const Worker&, unsigned) { return where(cpu_place); }
}  // namespace cpu
