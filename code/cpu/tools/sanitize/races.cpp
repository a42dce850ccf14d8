// races.cpp: データ競合を探す。メモリの 4 バイトごとに「最後に書いた人」と「最後に読んだ人」を覚え、
// 次の人が触れるたびに比べる。
//
// 時刻 (now) は、待ち合わせのたびに 1 進む。起動、ブロックの始め、バリア、ワープの同期、フェンスが待ち合わせである。
// 2 人が同じ場所に触れ、少なくとも 1 人が書き、2 人の間に待ち合わせがなければ、データ競合である。
// ブロックは 1 つの OS スレッドで順に動かすので、時刻だけで、どのブロックのいつの出来事かが分かる。
#include "races.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "absent.h"
#include "bounds.h"

namespace cpu {
// 誰がどこで: 命令の番地 20 ビット (プログラムの先頭から)、ブロックの中の番号 10 ビット、印 2 ビット
struct Who {
    static constexpr uint32_t kLargestPc = 0xfffff;
    uint32_t bits;
    uint32_t pc() const { return bits & kLargestPc; }
    unsigned lane() const { return bits >> 20 & 1023; }
    unsigned flag() const { return bits >> 30; }
};
struct Cell {  // 4 バイトのメモリ 1 つにつき 16 バイト
    uint32_t writeTime;  // 0: 誰も書いていない
    Who writer;  // flag 1: アトミック演算で書いた
    uint32_t readTime;
    Who reader;  // この区間で最初に読んだ人。flag 1: 同じワープの他の人も、2: 別のワープの人も読んだ
};
static Cell* makeCells() {
    void* m = reserve(kRegionBytes * 4, PROT_READ | PROT_WRITE, "覚え書き");
#ifdef MADV_HUGEPAGE
    madvise(m, kRegionBytes * 4, MADV_HUGEPAGE);
#endif
    return (Cell*)m;
}
static Cell* const cells = makeCells();
static char* checkedImage() {
    if (codeBytes() <= Who::kLargestPc) return imageBase();
    report("検査: プログラムの命令が 1 MiB より長いので、調べられない: カーネルを別のファイルに分ける\n");
    _exit(3);
}
static char* const image = checkedImage();
static std::unordered_map<char*, Cell> byteCells;  // 4 バイトより小さい読み書きは少ないので、別に持つ
static std::unordered_map<char*, Cell> variableCells;  // __device__ 変数。区間の外にある

static uint32_t now = 2;  // 1 はホストが書いた時刻
static uint32_t launchStart, blockStart, interval;  // 起動 (か grid.sync())、ブロック (かその続き)、最後のバリアの時刻
static uint32_t sharedStart;  // これより前に書かれた共有メモリは、前のブロックのもの
static uint32_t warpFull[kMaxThreads / 32];  // ワープの全員がそろった最後の時刻
static std::vector<std::pair<uint32_t, uint32_t>> warpPart[kMaxThreads / 32];  // 一部がそろった時刻とレーン
static uint32_t warpLive[kMaxThreads / 32];  // ワープにいるレーン
static const Launch* running;
static std::vector<std::pair<uint32_t, uint64_t>> blocks;  // 時刻 → ブロックの番号
static bool on;

// ブロックの間の順序:
// 書く → __threadfence() → アトミック演算 → (別のブロックの) アトミック演算 → __threadfence() → 読む
struct Release {
    uint32_t fence, fenceInterval, atomic;
    unsigned lane;
    const void* variable;
};
struct Acquire {
    uint32_t atomic, fence;  // fence: アトミック演算の後のフェンス。0 ならまだ
    unsigned lane;
    const void* variable;
};
static std::unordered_map<uint64_t, std::vector<Release>> releases;  // ブロックごと
static std::vector<Acquire> acquires;  // いまのブロックの
static uint32_t fenceTime[kMaxThreads], fenceInterval[kMaxThreads];

static inline Who who(void* pc, uint32_t flag) {
    return {(uint32_t((char*)pc - image) & Who::kLargestPc) | here.lane << 20 | flag << 30};
}
static std::string line(Who w) { return where(image + w.pc()); }
static uint64_t blockAt(uint32_t time) {
    auto it = std::upper_bound(blocks.begin(), blocks.end(), std::make_pair(time, ~uint64_t(0)));
    return (--it)->second;
}

// ---------------------------------------------------------------- 競合
static bool warpOrdered(unsigned a, unsigned b,
                        uint32_t time) {  // 同じワープの a と b が、time より後にそろったことがあるか
    if (a / 32 != b / 32) return false;
    if (warpFull[a / 32] > time) return true;
    for (auto& e : warpPart[a / 32])
        if (e.first > time && e.second >> a % 32 & e.second >> b % 32 & 1) return true;
    return false;
}
// 前の出来事 (time, lane) は、いまのスレッドがすることより必ず先か
static bool ordered(uint32_t time, unsigned lane) {
    if (time < launchStart) return true;
    if (time >= interval) return lane == here.lane || warpOrdered(lane, here.lane, time);
    if (time >= blockStart) return true;  // 間にバリアがあった
    auto it = releases.find(blockAt(time));
    if (it == releases.end()) return false;
    for (auto& r : it->second) {
        if (!(time < r.fence && (lane == r.lane || time < r.fenceInterval))) continue;
        for (auto& a : acquires)
            if (a.variable == r.variable && a.atomic > r.atomic && a.fence &&
                (a.lane == here.lane || a.fence < interval))
                return true;
    }
    return false;
}
static __attribute__((noinline)) void race(char* p, Kind kind, void* pc, const char* before, uint32_t time, Who other,
                                           bool otherLane) {
    const Who me = who(pc, 0);
    if (!first("競合" + line(other) + line(me))) return;
    const Array* a = findArray(p);
    const bool sameBlock = time >= blockStart;
    const char* verb[] = {"読む", "書く", "アトミック演算をする"};
    const std::string mine = laneName(here.lane), theirs = otherLane ? laneName(other.lane()) : "別のスレッド";
    report("検査: データ競合: %s%s\n", a ? space(*a) : "", a ? elementName(*a, p).c_str() : "?");
    if (sameBlock) {
        report("  %s: %s が%s\n  %s: %s が%s\n", line(other).c_str(), theirs.c_str(), before, line(me).c_str(),
               mine.c_str(), verb[int(kind)]);
        if (otherLane && other.lane() / 32 == here.lane / 32)
            report(
                "  どちらが先かは決まっていない: 間に __syncthreads() も __syncwarp() もない。"
                "同じワープでも、一緒に進むとは限らない\n");
        else report("  どちらが先かは決まっていない: 間に __syncthreads() がない\n");
        if (a && !a->shared) report("  全員が同じ場所に足すのなら、atomicAdd を使う\n");
    } else {
        report("  %s: ブロック %llu の%s が%s\n  %s: ブロック %llu の%s が%s\n", line(other).c_str(),
               (unsigned long long)blockAt(time), theirs.c_str(), before, line(me).c_str(),
               (unsigned long long)blocks.back().second, mine.c_str(), verb[int(kind)]);
        report(
            "  どちらが先かは決まっていない: 書いた後に __threadfence()、アトミック演算、読む前にアトミック演算、"
            "__threadfence() の順に通るか、カーネルを分ける\n");
    }
    reportKernel();
}

// 前に書いた人との競合。めったに通らない
static __attribute__((noinline)) void againstWriter(Cell& c, char* p, Kind kind, void* pc) {
    if (kind == Kind::atomic && c.writer.flag()) return;  // アトミック演算どうしは競合しない
    if (!ordered(c.writeTime, c.writer.lane()))
        race(p, kind, pc, c.writer.flag() ? "アトミック演算をした" : "書いた", c.writeTime, c.writer, true);
}
static __attribute__((noinline)) void againstReaders(Cell& c, char* p, Kind kind, void* pc) {
    const unsigned lane = here.lane, reader = c.reader.lane();
    if (!ordered(c.readTime, reader)) return race(p, kind, pc, "読んだ", c.readTime, c.reader, true);
    if (c.readTime < interval) return;
    const bool sameWarp = c.reader.flag() & 1 && reader == lane && warpFull[lane / 32] <= c.readTime;
    if (sameWarp || c.reader.flag() & 2) race(p, kind, pc, "読んだ", c.readTime, c.reader, false);
}
// 1 語に触れる。ほとんどは、比べて覚えるだけで終わる
static inline __attribute__((always_inline)) void check(Cell& c, char* p, unsigned size, bool shared, Kind kind,
                                                        void* pc) {
    const unsigned lane = here.lane;
    const uint32_t w = c.writeTime, r = c.readTime, from = shared ? sharedStart : launchStart;
    if (w < from) {
        const bool firstWrite = kind == Kind::write && contains(lastArray, p, size);
        if ((w == 0 || (shared && kind != Kind::write)) && !firstWrite)
            firstTouch(p, size, kind, pc, w && (!shared || w >= sharedStart));
    } else if (w >= interval) {
        if (c.writer.lane() != lane) againstWriter(c, p, kind, pc);
    } else if (w < blockStart) againstWriter(c, p, kind, pc);
    if (kind == Kind::read) {
        if (r < interval) c.reader = who(pc, 0), c.readTime = now;
        else if (c.reader.lane() == lane) c.reader = who(pc, c.reader.flag()), c.readTime = now;
        else if (ordered(r, c.reader.lane())) c.reader = who(pc, 0), c.readTime = now;
        else c.reader.bits |= (c.reader.lane() / 32 == lane / 32 ? 1u : 2u) << 30;
        return;
    }
    if (r >= from && (r >= interval ? c.reader.bits >> 20 != lane : r < blockStart)) againstReaders(c, p, kind, pc);
    // 自分の普通の書き込みの後のアトミック演算では、書き込みの方を覚えておく:
    // 他の人のアトミック演算と競合するのはそちらである
    if (kind == Kind::atomic && w >= interval && c.writer.bits >> 20 == lane) return;
    c.writeTime = now;
    c.writer = who(pc, kind == Kind::atomic);
}
static __attribute__((noinline)) void unusual(char* p, unsigned size, Kind kind,
                                              void* pc) {  // 4 バイトでない読み書き、区間の外
    const size_t offset = size_t(p - region);
    if (offset >= kRegionBytes) {
        if (isVariable(p)) {
            for (unsigned k = 0; k < size; k += 4) {  // __device__ 変数には、初めから値がある
                Cell& c = variableCells.insert({p + k, {1, {0}, 0, {0}}}).first->second;
                check(c, p + k, std::min(size, 4u), false, kind, pc);
            }
        } else if (!ownMemory(p)) foreign(p, kind, pc);
        return;
    }
    const bool shared = offset < kSharedBytes;
    if (size % 4 == 0 && offset % 4 == 0) {
        for (unsigned k = 0; k < size; k += 4) check(cells[(offset + k) / 4], p + k, 4, shared, kind, pc);
        return;
    }
    for (unsigned k = 0; k < size; k++) {
        Cell& c = byteCells[p + k];
        if (c.writeTime == 0) c.writeTime = cells[(offset + k) / 4].writeTime == 1;  // ホストが書いた
        check(c, p + k, 1, shared, kind, pc);
    }
}
static inline __attribute__((always_inline)) void onAccess(char* p, unsigned size, Kind kind, void* pc) {
    if (!on) return;
    const size_t offset = size_t(p - region);
    if (__builtin_expect(size == 4 && offset < kRegionBytes && offset % 4 == 0, 1))
        check(cells[offset / 4], p, 4, offset < kSharedBytes, kind, pc);
    else unusual(p, size, kind, pc);
}
static void onCall(int) {}
void toolAccess(const void* p, unsigned bytes, bool write, void* pc) {
    const Kind kind = write ? Kind::write : Kind::read;
    if (on && size_t((char*)p - region) < kRegionBytes && uintptr_t(p) % bytes) misaligned((char*)p, bytes, kind, pc);
    onAccess((char*)p, bytes, kind, pc);
}
void toolAtomic(const void* p, unsigned bytes, const char*, void* pc) {
    if (!on) return;
    if (uintptr_t(p) % bytes) misaligned((char*)p, bytes, Kind::atomic, pc);
    onAccess((char*)p, bytes, Kind::atomic, pc);
    now++;
    acquires.push_back({now, 0, here.lane, p});
    if (acquires.size() > 4096) acquires.erase(acquires.begin(), acquires.begin() + 2048);
    if (fenceTime[here.lane] > blockStart) {
        auto& list = releases[blocks.back().second];
        if (list.size() < 64) list.push_back({fenceTime[here.lane], fenceInterval[here.lane], now, here.lane, p});
    }
    now++;
}
void toolFence() {
    if (!on) return;
    fenceTime[here.lane] = ++now;
    fenceInterval[here.lane] = interval;
    for (auto& a : acquires)
        if (a.lane == here.lane && !a.fence) a.fence = now;
    now++;
}

// ---------------------------------------------------------------- 待ち合わせ
void toolLaunchBegin(const Launch& l, unsigned workers) {
    running = &l;
    on = true;
    launchStart = sharedStart = ++now;
    releases.clear();
    blocks.clear();
    removeSharedArrays();
    placeArrays(workers);
}
void toolLaunchEnd() {
    on = false;
    compareAbsent();
}
void toolBlockBegin(uint64_t b) {
    if (!on) return;
    blockStart = interval = ++now;
    if (!running->cooperative) sharedStart = now;  // 協調起動では、ブロックごとに別の場所にある
    blocks.push_back({now, b});
    acquires.clear();
    const unsigned threads = here.blockSize.x * here.blockSize.y * here.blockSize.z;
    for (unsigned w = 0; w * 32 < threads; w++) {
        warpPart[w].clear();
        warpLive[w] = threads - w * 32 >= 32 ? ~0u : (1u << (threads - w * 32)) - 1;
    }
}
void toolGridArrive(bool all) {
    if (all) launchStart = ++now;  // ここより前のことは、どのブロックのものでも、ここより後より先である
}
void toolGridLeave(uint64_t b) { toolBlockBegin(b); }
void toolBarrier(const Site* s, unsigned live, unsigned threads) {
    if (!on) return;
    interval = ++now;
    for (auto& w : warpPart) w.clear();
    if (live < threads && first("来ない" + std::to_string(s->line))) {
        report(
            "検査: __syncthreads() に来ないスレッドがいる: %u 個のうち %u 個だけが来た。"
            "残りはカーネルを終えている\n  %s:%d\n"
            "  範囲の外のスレッドも return させず、全員を同じ __syncthreads() に通す\n",
            threads, live, s->file, s->line);
        reportKernel();
    }
}
void toolWarp(unsigned warp, unsigned group, Op op, Request* const*) {
    if (!on || op != Op::sync) return;  // シャッフルや投票は、メモリの順番を約束しない
    now++;
    if ((group & warpLive[warp]) == warpLive[warp]) warpFull[warp] = now;
    else warpPart[warp].push_back({now, group});
    now++;
}
void toolHostWrite(const void* p, size_t bytes) {
    const size_t offset = size_t((char*)p - region);
    if (offset >= kRegionBytes) return;
    for (size_t k = offset / 4; k < (offset + bytes + 3) / 4; k++) cells[k].writeTime = 1;
}
bool isWritten(size_t word) {
    if (cells[word].writeTime) return true;
    bool written = false;  // 4 バイトより小さく書いたか
    for (int b = 0; b < 4 && !byteCells.empty(); b++) written |= byteCells.count(region + 4 * word + b) > 0;
    return written;
}
}  // namespace cpu
using cpu::Kind;
using cpu::onAccess;
using cpu::onCall;
#include "../callbacks.h"
