// scheduler.cpp: グリッドを CPU で動かす。ブロックは OS スレッドに配り、ブロックの中のスレッドは 1 つの OS スレッドが順に動かす。
//
// スレッドは、__syncthreads() に出会うまでは普通の関数呼び出しとして 1 つずつ最後まで動く (all)。
// 誰かが待つと、そこからはスレッドごとに別のスタックを持ち、待つたびに次のスレッドへ移る (ファイバー)。
//
// 移り方は 2 つある。
//   行進 (sweep): 全員が 0, 1, 2, … の順に同じ __syncthreads() に着く。番号を 1 つ進めるだけでよい。ほとんどの場合はこれ。
//   一般 (general): 着く場所が分かれたとき、ワープの関数、途中で終わるスレッド。ワープごとにビットで管理する。
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdarg>
#include <mutex>
#include <thread>
#include <vector>

#include "device.h"
#include "fiber.h"
#include "tools/tool.h"

namespace cpu {
__thread Here here = {};

struct Warp {
    unsigned live, ready, atBarrier, atWarp, yielded;  // レーンのビット
    Request* request[32];
};
struct Worker {  // OS スレッド 1 つと、それが今動かしているブロック
    unsigned number;  // 1, 2, …
    unsigned threads, warps;
    bool general, oneDimension;
    const Site* sweep;  // 行進: ここに全員が順に着きつつある
    unsigned live, arrived;  // 一般: 生きている数、バリアに着いた数
    const Site* barrier;  // 一般: 最初の 1 人が着いたバリア
    bool diverged;  // 別のバリアに着いた者がいる
    std::atomic<unsigned> progress;  // 見張りのため: 進むたびに変わる
    std::atomic<bool> busy, waitingForGrid;
    void* sp[kMaxThreads];  // 眠っているスレッドのスタック
    const Site* site[kMaxThreads];  // どこで眠っているか
    uint3 index[kMaxThreads];
    Warp warp[kMaxThreads / 32];
    std::vector<char*> stacks;  // 各スレッドのスタックの端 (高い方)
    Jump home;  // from: ブロックを動かし始めた場所
    uint64_t next, end;  // 受け持ちのブロックの番号
    const unsigned* lane;  // 他の OS スレッドから見た here.lane
    pthread_t os;
    std::vector<char> shared;
};

static __thread Worker* self;
static const Launch* job;
static uint64_t blockCount;
static std::atomic<uint64_t> nextBlock;
static unsigned chunk;  // 一度に受け持つブロックの数
static std::atomic<bool> aborted;
static std::atomic<cudaError_t> sticky{cudaSuccess};
static size_t sharedLimit = kDefaultShared;
static const Site kExit{"", 0};  // カーネルの終わりも、全員が着く場所の 1 つ
static std::mutex reportMutex;

// 協調起動 (grid.sync) の待ち合わせ
static std::mutex gridMutex;
static std::condition_variable gridWake;
static unsigned gridArrived, gridFinished;
static uint64_t gridRound;
#ifdef CPU_TOOL
// 検査では、出来事に順番を付けるために、動くブロックを 1 つにする。待つか終わるかしたら、次の OS スレッドに渡す
static unsigned baton;  // 動いてよい OS スレッドの番号
static std::vector<bool> retired;  // もう動かすブロックのない OS スレッド
static void passBaton() {
    for (size_t k = 0; k < retired.size(); k++) {
        baton = baton % unsigned(retired.size()) + 1;
        if (!retired[baton - 1]) break;
    }
    gridWake.notify_all();
}
static bool myTurn() { return baton == self->number; }
#else
static void passBaton() {}
static bool myTurn() { return true; }
#endif

unsigned coreCount() { return std::min(64u, std::max(1u, std::thread::hardware_concurrency())); }
cudaError_t stickyError() { return sticky; }
char* dynamicShared() { return self->shared.data(); }
#ifdef CPU_TOOL
static uint64_t launchNumber;
static size_t sharedUsed, zoneBytes;  // この起動で 1 つのブロックが使った共有メモリ、使える区間
static unsigned zones;
char* sharedArray(SharedSite* s, const char* name, size_t bytes, Element element, size_t align) {
    constexpr size_t kGap = 128;  // 配列の間のすき間。バンクの番号は変わらない
    char* zone = region + (self->number - 1) * zoneBytes;
    if (s->launch != launchNumber) {
        const bool dynamic = bytes == 0;
        if (dynamic) bytes = job->sharedBytes;
        sharedUsed = (sharedUsed + align - 1) / align * align;
        *s = {launchNumber, sharedUsed};
        sharedUsed += (bytes + 2 * kGap - 1) / kGap * kGap;
        if (sharedUsed > zoneBytes) report("検査: ブロックの共有メモリが多すぎて、調べられない\n"), _exit(3);
        for (unsigned k = 0; k < zones; k++)
            toolAllocate({region + k * zoneBytes + s->offset, bytes, element, name, true, *job->site});
    }
    return zone + s->offset;
}
#endif
void allowDynamicShared(size_t bytes) { sharedLimit = std::max(sharedLimit, std::min(bytes, kMaxShared)); }
int occupancy(int block, size_t sharedBytes) {
    if (block <= 0 || block > int(kMaxThreads)) return 0;
    const size_t byShared = sharedBytes ? kMaxShared / sharedBytes : 32;
    return int(std::min<size_t>(std::min<size_t>(2048 / unsigned((block + 31) / 32 * 32), 32), byShared));
}

// ---------------------------------------------------------------- 報告
void report(const char* format, ...) {
    va_list a;
    va_start(a, format);
    vfprintf(stderr, format, a);
    va_end(a);
}
bool claimReport() { return !aborted.exchange(true); }
static std::string triple(const dim3& d) {
    std::string s = std::to_string(d.x);
    if (d.y == 1 && d.z == 1) return s;
    return "(" + s + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}
static std::string indexName(const uint3& i, const dim3& d) {
    return d.y == 1 && d.z == 1
               ? std::to_string(i.x)
               : "(" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) + ")";
}
std::string threadName() {
    return "ブロック " + indexName(here.block, here.gridSize) + " のスレッド " + indexName(here.thread, here.blockSize);
}
void reportKernel() {
    report("  カーネル %s<<<%s, %s>>> (%s:%d で起動), ブロック %s\n", job->name, triple(job->grid).c_str(),
           triple(job->block).c_str(), job->site->file, job->site->line, indexName(here.block, here.gridSize).c_str());
}
static std::string ranges(const std::vector<unsigned>& v) {  // 0-31,40
    std::string s;
    for (size_t i = 0; i < v.size();) {
        size_t k = i;
        while (k + 1 < v.size() && v[k + 1] == v[k] + 1) k++;
        s += (s.empty() ? "" : ",") + std::to_string(v[i]) + (k > i ? "-" + std::to_string(v[k]) : "");
        i = k + 1;
    }
    return s;
}
static const char* opName(Op op) {
    static const char* names[] = {"__syncwarp",        "__shfl_*_sync",     "__ballot_sync (か any, all)",
                                  "__match_any_sync",  "__reduce_add_sync", "__reduce_min_sync",
                                  "__reduce_max_sync", "__reduce_min_sync", "__reduce_max_sync",
                                  "__reduce_and_sync", "__reduce_or_sync",  "__reduce_xor_sync"};
    return names[int(op)];
}
static void reportWaiting(Worker& w) {  // 誰がどこで何を待っているか
    struct Group {
        const Site* site;
        std::string what;
        std::vector<unsigned> threads;
    };
    std::vector<Group> groups;
    std::vector<unsigned> finished;
    for (unsigned t = 0; t < w.threads; t++) {
        Warp& q = w.warp[t / 32];
        const unsigned bit = 1u << t % 32;
        if (!(q.live & bit)) {
            finished.push_back(t);
            continue;
        }
        char what[96] = "__syncthreads()";
        if (q.atWarp & bit)
            snprintf(what, sizeof what, "%s (マスク 0x%08x)", opName(q.request[t % 32]->op), q.request[t % 32]->mask);
        else if (!(q.atBarrier & bit)) continue;
        Group* g = nullptr;
        for (auto& x : groups)
            if (x.site->line == w.site[t]->line && !strcmp(x.site->file, w.site[t]->file) && x.what == what) g = &x;
        if (!g) groups.push_back({w.site[t], what, {}}), g = &groups.back();
        g->threads.push_back(t);
    }
    for (auto& g : groups)
        report("  %s:%d: スレッド %s が %s で待っている\n", g.site->file, g.site->line, ranges(g.threads).c_str(),
               g.what.c_str());
    if (!finished.empty()) report("  スレッド %s はカーネルを終えている\n", ranges(finished).c_str());
}
[[noreturn]] static void goHome() {
    Jump j{nullptr, self->home.from};
    CPU_PARK("cpu_jump", &j);
    __builtin_unreachable();
}
void setSticky(cudaError_t e) {
    cudaError_t none = cudaSuccess;
    sticky.compare_exchange_strong(none, e);  // 最初の誤りだけを残す
}
[[noreturn]] void abortBlock(cudaError_t e) {
    aborted = true;
    setSticky(e);
    goHome();
}
[[noreturn]] static void failBlock(const char* sentence, cudaError_t e = cudaErrorLaunchFailure) {
    {
        std::lock_guard<std::mutex> lock(reportMutex);
        if (claimReport()) {
            report("%s\n", sentence);
            reportKernel();
            if (self->general) reportWaiting(*self);
        }
    }
    abortBlock(e);
}

// ---------------------------------------------------------------- スタック
static __attribute__((noinline)) void growStacks(Worker& w, unsigned count) {
    const size_t page = sysconf(_SC_PAGESIZE), each = kStackBytes + page;
    while (w.stacks.size() < count) {
        const unsigned batch = 32;
        char* m =
            (char*)mmap(nullptr, each * batch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
        if (m == MAP_FAILED) {
            report("CPU デバイス: スレッドのスタックを置くメモリがない: ブロックを小さくする\n");
            _exit(3);
        }
        for (unsigned k = 0; k < batch; k++) {
            mprotect(m + each * k, page, PROT_NONE);  // 使い切ると、ここに触れて分かる
            // 端を 64 バイトずつずらす。揃えると、全員のスタックがキャッシュの同じ場所を取り合う
            w.stacks.push_back(m + each * (k + 1) - w.stacks.size() % 61 * 64);
        }
    }
}
bool describeStack(const void* p) {
    if (!self) return false;
    for (char* top : self->stacks) {
        if ((char*)p < top - kStackBytes - 8192 || (char*)p > top - kStackBytes + 8192) continue;
        report("  スレッドのスタック (%zu KiB) を使い切った: カーネルの中の大きな配列や再帰をやめる\n",
               kStackBytes / 1024);
        return true;
    }
    return false;
}

// ---------------------------------------------------------------- 切り替え
static inline void enter(Worker& w, unsigned t) {
    here.lane = t;
    if (__builtin_expect(w.oneDimension, 1)) here.thread.x = t;
    else here.thread = w.index[t];
}
static void laneMain() {  // 新しいスタックの入口
    for (;;) {
        job->one(job->closure);
        CPU_PARK("cpu_park_exit", nullptr);
    }
}
static bool takeBlock(Worker& w) {
    if (aborted.load(std::memory_order_relaxed)) return false;
    if (w.next == w.end) {
        w.next = nextBlock.fetch_add(chunk, std::memory_order_relaxed);
        w.end = std::min<uint64_t>(w.next + chunk, blockCount);
        if (w.next >= blockCount) return false;
    }
    const uint64_t b = w.next++;
    const dim3& g = here.gridSize;
    here.block = {unsigned(b % g.x), unsigned(b / g.x % g.y), unsigned(b / g.x / g.y)};
    w.progress.store(w.progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    toolBlockBegin(b);
    // 共有メモリには前のブロックの値が残る。0 だと思い込んだ誤りが見えるように、NaN になる値で埋める
    if (job->sharedBytes) memset(w.shared.data(), 0xff, job->sharedBytes);
    return true;
}
static void* startSweep(Worker& w) {  // 全員が起きていて、0 番から順に動く
    w.general = false;
    w.sweep = nullptr;
    w.progress.store(w.progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    enter(w, 0);
    return w.sp[0];
}
static void* nextBlockOrHome(Worker& w) { return takeBlock(w) ? startSweep(w) : w.home.from; }

static int lowest(unsigned bits) { return __builtin_ctz(bits); }
static int pick(Worker& w, unsigned from) {  // 次に動けるスレッド。同じワープの続きを先に
    const unsigned q = from / 32, after = ~1u << from % 32;
    if (w.warp[q].ready & after) return int(q * 32) + lowest(w.warp[q].ready & after);
    if (w.warp[q].ready) return int(q * 32) + lowest(w.warp[q].ready);
    for (unsigned k = 1; k <= w.warps; k++) {
        const unsigned i = (q + k) % w.warps;
        if (w.warp[i].ready) return int(i * 32) + lowest(w.warp[i].ready);
    }
    for (unsigned k = 0; k < w.warps; k++) {  // 動けるのは、譲ったスレッドだけ
        Warp& p = w.warp[(q + k) % w.warps];
        if (p.yielded) {
            p.ready = p.yielded;
            p.yielded = 0;
            return int((q + k) % w.warps * 32) + lowest(p.ready);
        }
    }
    return -1;
}
static void* resume(Worker& w, int t) {
    if (t < 0) failBlock("CPU デバイス: デッドロック: ブロックのどのスレッドも先へ進めない");
    enter(w, unsigned(t));
    return w.sp[t];
}
static void* releaseBarrier(Worker& w) {  // 一般: 生きている全員がバリアに着いた
    if (w.diverged) failBlock("CPU デバイス: 同じブロックのスレッドが、別々の __syncthreads() で待っている");
    w.arrived = 0;
    toolBarrier(w.barrier, w.live, w.threads);
    if (w.live == w.threads) return startSweep(w);
    for (unsigned q = 0; q < w.warps; q++) w.warp[q].ready = w.warp[q].live, w.warp[q].atBarrier = 0;
    w.progress.store(w.progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return resume(w, pick(w, w.threads - 1));
}
static void setLanes(Worker& w, unsigned firstLive) {  // firstLive から後ろが生きていて、動ける
    w.live = w.threads - firstLive;
    w.arrived = 0;
    w.diverged = false;
    for (unsigned t = 0; t < w.threads; t += 32) {
        const unsigned count = std::min(32u, w.threads - t), all = count == 32 ? ~0u : (1u << count) - 1;
        const unsigned gone = firstLive <= t ? 0 : firstLive - t >= 32 ? ~0u : (1u << (firstLive - t)) - 1;
        w.warp[t / 32].live = w.warp[t / 32].ready = all & ~gone;
        w.warp[t / 32].atBarrier = w.warp[t / 32].atWarp = w.warp[t / 32].yielded = 0;
    }
}
static void arriveAt(Worker& w, unsigned t, const Site* site) {
    w.site[t] = site;
    w.warp[t / 32].ready &= ~(1u << t % 32);
    w.warp[t / 32].atBarrier |= 1u << t % 32;
    if (w.arrived++ == 0) w.barrier = site;
    else if (w.barrier != site) w.diverged = true;
}
static void* exitLane(Worker& w, unsigned t);
static void leaveSweep(Worker& w, unsigned t) {  // 行進をやめ、ビットで管理する。t より前は w.sweep に着いている
    const Site* site = w.sweep;
    w.general = true;
    w.sweep = nullptr;
    if (site == &kExit) {
        setLanes(w, t);
        return;
    }
    setLanes(w, 0);
    for (unsigned k = 0; site && k < t; k++) arriveAt(w, k, site);
}
// このブロックで初めて誰かが待った: ここからファイバー。より前のスレッドは、もう終わっている
static __attribute__((noinline)) void promote(Worker& w) {
    const unsigned t = here.lane;
    here.fibers = true;
    growStacks(w, w.threads + 1);
    // stacks[threads] は今のスタック。他は新しい
    for (unsigned k = 0; k < w.threads; k++) w.sp[k] = newFiber(w.stacks[k], laneMain);
    w.general = false;
    w.sweep = t ? &kExit : nullptr;
}

// 全員が順に同じ場所に着くなら、ここだけを通る
static inline void* arrive(const Site* site, void* sp) {
    Worker& w = *self;
    unsigned t = here.lane;
    if (__builtin_expect(!here.fibers, 0)) promote(w);
    w.sp[t] = sp;
    if (__builtin_expect(site != w.sweep, 0)) {
        if (!w.general && t == 0) w.sweep = site;
        else {
            if (!w.general) leaveSweep(w, t);
            if (site == &kExit) return exitLane(w, t);
            arriveAt(w, t, site);
            return w.arrived == w.live ? releaseBarrier(w) : resume(w, pick(w, t));
        }
    }
    if (__builtin_expect(++t < w.threads, 1)) {
        enter(w, t);
        return w.sp[t];
    }
    if (site == &kExit) return nextBlockOrHome(w);
    toolBarrier(site, w.threads, w.threads);
    return startSweep(w);
}
extern "C" __attribute__((used)) void* cpu_schedule_barrier(const Site* site, void* sp) { return arrive(site, sp); }
extern "C" __attribute__((used)) void* cpu_schedule_exit(const void*, void* sp) { return arrive(&kExit, sp); }

// ---------------------------------------------------------------- ワープの関数
static void warpResults(Warp& q, unsigned group, unsigned warp) {
    const Op op = q.request[lowest(group)]->op;
    uint64_t all = 0;
    bool first = true;
    for (unsigned m = group; m; m &= m - 1) {
        Request& r = *q.request[lowest(m)];
        const uint32_t v = uint32_t(r.value), a = uint32_t(all);
        if (op == Op::shuffle) {
            if (group >> (r.from & 31) & 1) {
                r.result = q.request[r.from & 31]->value;
                continue;
            }
            std::lock_guard<std::mutex> lock(reportMutex);
            static std::vector<int> told;
            if (std::find(told.begin(), told.end(), r.site->line) == told.end()) {
                told.push_back(r.site->line);
                report(
                    "CPU デバイス: 注意: このシャッフルに加わっていないレーンを読んでいる: 値は決まらない (ここでは 0)\n  %s:%d: スレッド %u がレーン %u を読む\n",
                    r.site->file, r.site->line, warp * 32 + lowest(m), r.from & 31);
            }
            r.result = 0;
        } else if (op == Op::match) {
            r.result = 0;
            for (unsigned k = group; k; k &= k - 1)
                if (q.request[lowest(k)]->value == r.value) r.result |= 1u << lowest(k);
        } else if (op == Op::ballot) all |= uint64_t(v != 0) << lowest(m);
        else if (first) all = v, first = false;
        else switch (op) {
                case Op::addU: all = uint32_t(a + v); break;
                case Op::minS: all = uint32_t(std::min(int(a), int(v))); break;
                case Op::maxS: all = uint32_t(std::max(int(a), int(v))); break;
                case Op::minU: all = std::min(a, v); break;
                case Op::maxU: all = std::max(a, v); break;
                case Op::andU: all = a & v; break;
                case Op::orU: all = a | v; break;
                case Op::xorU: all = a ^ v; break;
                default: break;
            }
    }
    if (op != Op::shuffle && op != Op::match)
        for (unsigned m = group; m; m &= m - 1) q.request[lowest(m)]->result = all;
}
static bool tryWarp(Worker& w, unsigned warp, unsigned mask) {  // mask の生きている全員が着いたら、結果を配って起こす
    Warp& q = w.warp[warp];
    const unsigned group = mask & q.live;
    if (!group || (q.atWarp & group) != group) return false;
    const Request& first = *q.request[lowest(group)];
    for (unsigned m = group; m; m &= m - 1)
        if (q.request[lowest(m)]->op != first.op || q.request[lowest(m)]->mask != first.mask)
            failBlock("CPU デバイス: 同じワープのレーンが、別々のワープの関数か、別々のマスクで待っている");
    toolWarp(warp, group, first.op, q.request);
    warpResults(q, group, warp);
    q.atWarp &= ~group;
    q.ready |= group;
    return true;
}
extern "C" __attribute__((used)) void* cpu_schedule_warp(Request* r, void* sp) {
    Worker& w = *self;
    const unsigned t = here.lane, l = t % 32, bit = 1u << l;
    if (__builtin_expect(!here.fibers, 0)) promote(w);
    if (!w.general) leaveSweep(w, t);
    Warp& q = w.warp[t / 32];
    w.sp[t] = sp;
    w.site[t] = r->site;
    q.request[l] = r;
    q.atWarp |= bit;
    q.ready &= ~bit;
    if (!(r->mask & bit)) failBlock("CPU デバイス: ワープの関数を呼んだレーンが、自分のマスクに入っていない");
    if (q.ready & bit << 1 && r->mask & bit << 1) {
        enter(w, t + 1);
        return w.sp[t + 1];
    }  // 組の次のレーンがまだ来ていない
    if (tryWarp(w, t / 32, r->mask)) return sp;
    return resume(w, pick(w, t));
}
static void* exitLane(Worker& w, unsigned t) {
    Warp& q = w.warp[t / 32];
    q.live &= ~(1u << t % 32);
    q.ready &= ~(1u << t % 32);
    w.live--;
    for (unsigned m = q.atWarp; m; m &= m - 1)  // 終わったレーンを待っていた組は、残りだけで進む
        if (tryWarp(w, t / 32, q.request[lowest(m)]->mask)) break;
    if (w.live == 0) return nextBlockOrHome(w);
    if (w.arrived == w.live) return releaseBarrier(w);
    return resume(w, pick(w, t));
}
extern "C" __attribute__((used)) void* cpu_schedule_yield(const void*, void* sp) {
    Worker& w = *self;
    const unsigned t = here.lane;
    if (__builtin_expect(!here.fibers, 0)) promote(w);
    if (!w.general) leaveSweep(w, t);
    w.sp[t] = sp;
    w.warp[t / 32].ready &= ~(1u << t % 32);
    w.warp[t / 32].yielded |= 1u << t % 32;
    return resume(w, pick(w, t));
}
CPU_DEFINE_PARK("cpu_park_barrier", "cpu_schedule_barrier");
CPU_DEFINE_PARK("cpu_park_exit", "cpu_schedule_exit");
CPU_DEFINE_PARK("cpu_park_warp", "cpu_schedule_warp");
CPU_DEFINE_PARK("cpu_park_yield", "cpu_schedule_yield");
CPU_DEFINE_JUMP();

int barrierCount(const Site* s, bool predicate) {  // バリアを 3 回使って数える
    static thread_local int count;
    barrier(s);
    count = 0;
    barrier(s);
    count += predicate;
    barrier(s);
    return count;
}
unsigned activeMask() {  // 一緒に動いているレーンは分からない。CUDA も何も約束しない: 自分だけ
    return 1u << laneId();
}
[[noreturn]] void trap() { failBlock("CPU デバイス: カーネルが __trap() を呼んだ"); }

// ---------------------------------------------------------------- OS スレッド
static void blockLoop() {  // 誰かが待つまで、ブロックを 1 つずつ普通の関数呼び出しで動かす
    while (takeBlock(*self)) job->all(job->closure);
    goHome();
}
static void work() {
    Worker& w = *self;
    here.gridSize = job->grid;
    here.blockSize = job->block;
    here.thread = {0, 0, 0};
    here.fibers = false;
    w.threads = job->block.x * job->block.y * job->block.z;
    w.warps = (w.threads + 31) / 32;
    w.oneDimension = job->block.y == 1 && job->block.z == 1;
    for (unsigned t = 0; t < w.threads; t++)
        w.index[t] = {t % job->block.x, t / job->block.x % job->block.y, t / job->block.x / job->block.y};
    w.next = w.end = 0;
    if (w.shared.size() < job->sharedBytes) w.shared.resize(job->sharedBytes);
    growStacks(w, w.threads + 1);
    if (job->cooperative) {
        std::unique_lock<std::mutex> lock(gridMutex);
        gridWake.wait(lock, [] { return myTurn() || aborted; });
    }
    w.busy = here.inKernel = true;
    w.home.to = newFiber(w.stacks[w.threads], blockLoop);
    CPU_PARK("cpu_jump", &w.home);  // ブロックがなくなると、ここへ戻る
    if (job->cooperative) {
        std::lock_guard<std::mutex> lock(gridMutex);
        gridFinished++;
#ifdef CPU_TOOL
        retired[w.number - 1] = true;
#endif
        passBaton();
        gridWake.notify_all();
    }
    w.busy = here.inKernel = false;
}

struct Pool {
    std::vector<Worker*> workers;
    std::vector<std::thread> threads;
    std::mutex mutex;
    std::condition_variable wake, done;
    uint64_t generation = 0;
    unsigned wanted = 0, running = 0;  // この起動で働く OS スレッドの数、まだ終わっていない数
    bool quit = false;

    Worker* addWorker() {
        Worker* w = new Worker();
        w->lane = &here.lane;
        w->os = pthread_self();
        self = w;
        std::lock_guard<std::mutex> lock(mutex);
        workers.push_back(w);
        w->number = unsigned(workers.size());
        return w;
    }
    void grow(unsigned count) {
        if (workers.empty()) {
            addWorker();
            installFaultHandler();
            threads.emplace_back([this] { watch(); });
        }
        while (workers.size() < count) {
            const unsigned k = unsigned(workers.size());
            const uint64_t seen = generation;
            threads.emplace_back([this, k, seen] { loop(k, seen); });
            std::unique_lock<std::mutex> lock(mutex);
            done.wait(lock, [&] { return workers.size() > k; });
        }
    }
    void loop(unsigned k, uint64_t seen) {
        useAlternateStack();
        addWorker();
        done.notify_all();
        std::unique_lock<std::mutex> lock(mutex);
        for (;;) {
            wake.wait(lock, [&] { return quit || generation != seen; });
            if (quit) return;
            seen = generation;
            if (k >= wanted) continue;
            lock.unlock();
            work();
            lock.lock();
            if (--running == 0) done.notify_all();
        }
    }
    void runAll(unsigned count) {
        if (count == 1) return work();
        {
            std::lock_guard<std::mutex> lock(mutex);
            generation++;
            wanted = count;
            running = count - 1;
        }
        wake.notify_all();
        work();
        std::unique_lock<std::mutex> lock(mutex);
        done.wait(lock, [&] { return running == 0; });
    }
    void watch();
    ~Pool() {
        {
            std::lock_guard<std::mutex> lock(mutex);
            quit = true;
        }
        wake.notify_all();
        for (auto& t : threads) t.join();
    }
};
static Pool pool;

// ---------------------------------------------------------------- 見張り
// 1 つの OS スレッドがブロックのスレッドを順に動かすので、同じブロックの相手を待って回り続けるスレッドがいると、相手は永遠に動かない。
// 番号の小さいブロックを待つのはよい: ブロックは番号の順に始まるので、相手は別の OS スレッドで動いているか、もう終わっている。
// だから、どの OS スレッドも進まないときにだけ、行き詰まったとみなす。
static void stuck(int, siginfo_t*, void* context) {
    if (!self || !here.inKernel || !claimReport()) return;
    {
        std::lock_guard<std::mutex> lock(reportMutex);
        report(
            "CPU デバイス: %s が %d 秒たっても進まない: 同じブロックの他のスレッドを待って回り続けるループは、CPU デバイスでは終わらない。__syncthreads() か __syncwarp() で待つ\n",
            threadName().c_str(), kStuckSeconds);
        reportKernel();
        report("  %s を実行中\n", where((char*)programCounter(context) + 1).c_str());
    }
    abortBlock(cudaErrorLaunchTimeout);
}
void Pool::watch() {
    struct sigaction action{};
    action.sa_sigaction = stuck;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGUSR2, &action, nullptr);
    struct Seen {
        unsigned progress, lane;
        int seconds;
    };
    std::vector<Seen> seen;
    std::unique_lock<std::mutex> lock(mutex);
    while (!wake.wait_for(lock, std::chrono::seconds(1), [&] { return quit; })) {
        seen.resize(workers.size());
        bool moved = false;
        for (size_t k = 0; k < workers.size(); k++) {
            Worker& w = *workers[k];
            const Seen now{w.progress, *(const volatile unsigned*)w.lane, seen[k].seconds + 1};
            const bool waiting = !w.busy || w.waitingForGrid;
            const bool same = now.progress == seen[k].progress && now.lane == seen[k].lane;
            moved |= !waiting && !same;
            seen[k] = waiting || !same ? Seen{now.progress, now.lane, 0} : now;
        }
        for (size_t k = 0; k < workers.size(); k++) {
            if (moved) seen[k].seconds = 0;
            else if (seen[k].seconds >= kStuckSeconds) pthread_kill(workers[k]->os, SIGUSR2), seen[k].seconds = 0;
        }
    }
}

// ---------------------------------------------------------------- グリッド全体の同期 (協調起動)
// 協調起動では、ブロックごとに OS スレッドを 1 つ使う。だから小さなグリッドだけ。
void gridSync(const Site* s) {
    if (!job->cooperative)
        failBlock("CPU デバイス: grid.sync() は cudaLaunchCooperativeKernel で起動したカーネルでだけ使える");
    barrier(s);
    if (here.lane == 0) {
        self->waitingForGrid = true;
        bool stuck = false;
        {
            std::unique_lock<std::mutex> lock(gridMutex);
            const uint64_t round = gridRound;
            const bool all = ++gridArrived == blockCount;
            toolGridArrive(all);
            if (all) {
                gridArrived = 0;
                gridRound++;
                gridWake.notify_all();
            }
            passBaton();
            gridWake.wait(lock, [&] { return ((gridRound != round || gridFinished > 0) && myTurn()) || aborted; });
            stuck = gridRound == round && !aborted;
            const auto& b = here.block;
            toolGridLeave((uint64_t(b.z) * job->grid.y + b.y) * job->grid.x + b.x);
        }
        self->waitingForGrid = false;
        if (stuck) failBlock("CPU デバイス: デッドロック: grid.sync() に来ないまま終わったブロックがある");
        if (aborted) goHome();
    }
    barrier(s);
}

// ---------------------------------------------------------------- 起動
cudaError_t checkLaunch(const Launch& l) {
    if (stickyError()) return remember(stickyError());
    const dim3 &g = l.grid, &b = l.block;
    const uint64_t threads = uint64_t(b.x) * b.y * b.z, blocks = uint64_t(g.x) * g.y * g.z;
    char why[200] = "";
    cudaError_t e = cudaErrorInvalidValue;  // CUDA 13 の GPU が返すもの。以前は cudaErrorInvalidConfiguration だった
    if (!blocks) snprintf(why, sizeof why, "グリッドの大きさが 0 である");
    else if (!threads) snprintf(why, sizeof why, "ブロックの大きさが 0 である");
    else if (threads > kMaxThreads)
        snprintf(why, sizeof why, "1 ブロックに %llu スレッドは多すぎる (上限 %u)", (unsigned long long)threads,
                 kMaxThreads);
    else if (b.z > 64) snprintf(why, sizeof why, "blockDim.z = %u は大きすぎる (上限 64)", b.z);
    else if (g.x > 2147483647u || g.y > 65535 || g.z > 65535)
        snprintf(why, sizeof why, "グリッドが大きすぎる (上限 2147483647, 65535, 65535)");
    else if (l.sharedBytes > sharedLimit)
        snprintf(why, sizeof why, "動的共有メモリ %zu バイトは多すぎる (上限 %zu)", l.sharedBytes, sharedLimit);
    else if (l.cooperative && blocks > unsigned(kSMs * occupancy(int(threads), l.sharedBytes))) {
        e = cudaErrorCooperativeLaunchTooLarge;
        snprintf(why, sizeof why, "協調起動のグリッド %llu ブロックは、同時に載る %d ブロックを超える",
                 (unsigned long long)blocks, kSMs * occupancy(int(threads), l.sharedBytes));
    } else return cudaSuccess;
    report("CPU デバイス: %s を起動できない: %s\n  %s:%d で %s<<<%s, %s>>>\n", l.name, why, l.site->file, l.site->line,
           l.name, triple(g).c_str(), triple(b).c_str());
    return remember(e);
}
void run(const Launch& l) {
    if (stickyError()) {
        remember(stickyError());
        return;
    }
    job = &l;
#ifdef CPU_TOOL
    launchNumber++;
    sharedUsed = 0;
    for (; Variable::first; Variable::first = Variable::first->next) {
        const Variable& v = *Variable::first;
        toolAllocate({v.p, v.bytes, v.element, v.name, false, v.site});
    }
#endif
    blockCount = uint64_t(l.grid.x) * l.grid.y * l.grid.z;
    nextBlock = 0;
    aborted = false;
    gridArrived = gridFinished = 0;
    unsigned count = l.cooperative ? unsigned(blockCount) : unsigned(std::min<uint64_t>(coreCount(), blockCount));
#ifdef CPU_TOOL
    if (!l.cooperative) count = 1;  // 検査では、出来事に順番を付けるために 1 つの OS スレッドで動かす
    zones = count;
    zoneBytes = kSharedBytes / count / 256 * 256;
    baton = 1;
    retired.assign(count, false);
#endif
    chunk = l.cooperative
                ? 1
                : unsigned(std::min<uint64_t>(4096, std::max<uint64_t>(1, blockCount / (uint64_t(count) * 16))));
    pool.grow(count);
    openMemory();
    toolLaunchBegin(l);
    pool.runAll(count);
    toolLaunchEnd();
    closeMemory();
    if (aborted) remember(stickyError());
}
}  // namespace cpu

void __trap() { cpu::trap(); }
