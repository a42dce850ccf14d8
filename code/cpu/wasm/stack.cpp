// wasm/stack.cpp: スレッドの続きは、コルーチンの番地である (WebAssembly)。
// 眠ったスレッドは、ここ (runThreads) まで戻ってくる。だから、スタックはいつも 1 つで足りる。
#include <algorithm>
#include <csetjmp>

#include "pool.h"
#include "watch.h"

namespace cpu {
void* nextThread;
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
void* newFrame(size_t bytes) {
    const size_t k = (bytes + kUnit - 1) / kUnit, size = k * kUnit;
    if (k >= freeFrames.size()) freeFrames.resize(k + 1);
    if (Free* f = freeFrames[k]) {
        freeFrames[k] = f->next;
        return f;
    }
    if (size > restBytes) {
        restBytes = std::max(size, kChunkBytes);
        chunks.push_back({rest = (char*)calloc(restBytes, 1), restBytes});
        if (!rest) {
            report("CPU デバイス: スレッドの変数を置くメモリがない: ブロックを小さくする\n");
            exit(3);
        }
    }
    char* p = rest;
    rest += size;
    restBytes -= size;
    return p;
}
void deleteFrame(void* p, size_t bytes) {
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
static jmp_buf home;
void prepareFibers(Worker& w) {
    here.fibers = false;
    w.home.from = kNobody;
}
void* freshThread(Worker&, unsigned) { return (void*)&kFresh; }
void runThreads() {
    while (nextThread != kNobody) {
        if (nextThread == &kFresh) runningLaunch().one(runningLaunch().closure);
        else std::coroutine_handle<>::from_address(nextThread).resume();
    }
}
static void run(Worker& w) {
    if (w.waitingForGrid) return runThreads();
    // 誰かが眠ったら、残りのブロックは runThreads が動かしている
    while (!here.fibers && takeBlock(w)) runningLaunch().all(runningLaunch().closure);
}
// ブロックがなくなるか、他のブロックを待つか (waitingForGrid) するまで動かす
void runBlocks(Worker& w) {
    static int before;
    before = nested;
    stackEnd = (const char*)__builtin_frame_address(0) - kStackBytes;
    if (setjmp(home) == 0) run(w);
    else nested = before, w.waitingForGrid = false;  // ブロックを途中でやめた
    stackEnd = nullptr;
}
void leaveBlock() { longjmp(home, 1); }
bool describeStack(const void* p) {  // 深すぎる再帰 (watch.cpp) だけ。ほかは、ページの中では止まらない
    const bool full = p == &nested;
    if (full) reportFullStack();
    return full;
}
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
std::string whereAsleep(const Worker&, unsigned) { return "場所は不明"; }
bool interrupted() {  // xorshift32
    static uint32_t x = 2463534242u;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x & 1;
}
}  // namespace cpu
