// races.cpp: データ競合を探す。触れるたびに、覚え書き (cells.h) にある前の人と比べる。
// 2 人が同じ場所に触れ、少なくとも 1 人が書き、どちらが先かが決まっていなければ (order.h)、データ競合である。
#include "races.h"

#include "bounds.h"
#include "cells.h"

namespace cpu {
static Cell* makeCells(size_t bytes) {
    void* m = reserve(bytes * 4, PROT_READ | PROT_WRITE, "覚え書き");
#ifdef MADV_HUGEPAGE
    madvise(m, bytes * 4, MADV_HUGEPAGE);
#endif
    return (Cell*)m;
}
static char* checkedImage() {
    if (codeBytes() / 4 <= Mark::kLargestPc) return imageBase();
    report("検査: プログラムの命令が 4 MiB より長いので、調べられない: カーネルを別のファイルに分ける\n");
    _exit(3);
}
static Cell* const cells = makeCells(kRegionBytes);
static char* const image = checkedImage();
static Cell* const variableCells = makeCells(imageBytes());  // __device__ 変数は、プログラムの中にある
static Store<Extended> extended;
static Store<Bytes> split;

enum class Space { global, shared, variable };
struct Touch {
    char* p;
    unsigned size;
    Space space;
    Kind kind;
    void* pc;
    bool isVolatile = false, compares = false;  // compares: atomicCAS
    Scope scope = Scope::device;
    unsigned lane = here.lane;
    char* whole = p;  // 8 バイトや memcpy を 4 バイトずつに分けても、初めの番地は覚えておく
};
static inline uint32_t who(void* pc, unsigned lane = here.lane) {
    return (uint32_t((char*)pc - image) / 4 & Mark::kLargestPc) | lane << 20;
}
static inline uint32_t staleBefore(Space s) { return s == Space::shared ? sharedStart : horizon; }
static std::string line(const Mark& m) { return where(image + size_t(m.pc()) * 4); }

// ---------------------------------------------------------------- 報告
static __attribute__((noinline)) void race(const Touch& t, const char* before, const Mark& other, bool otherLane) {
    const Mark me{now, who(t.pc, t.lane)};
    if (!first("競合" + line(other) + line(me))) return;
    const Array* a = findArray(t.p);
    const bool sameBlock = other.time >= blockStart;
    const char* verb = t.kind == Kind::read ? "読む" : t.kind == Kind::write ? "書く" : "アトミック演算をする";
    const std::string mine = laneName(t.lane), theirs = otherLane ? laneName(other.lane()) : "別のスレッド";
    report("検査: データ競合: %s%s\n", a ? space(*a) : "", a ? elementName(*a, t.p).c_str() : "?");
    if (sameBlock) {
        report("  %s: %s が%s\n  %s: %s が%s\n", line(other).c_str(), theirs.c_str(), before, line(me).c_str(),
               mine.c_str(), verb);
        if (otherLane && other.lane() / 32 == t.lane / 32)
            report(
                "  どちらが先かは決まっていない: 間に __syncthreads() も __syncwarp() もない。"
                "同じワープでも、一緒に進むとは限らない\n");
        else report("  どちらが先かは決まっていない: 間に __syncthreads() がない\n");
        if (a && !a->shared) report("  全員が同じ場所に足すのなら、atomicAdd を使う\n");
    } else {
        report("  %s: ブロック %llu の%s が%s\n  %s: ブロック %llu の%s が%s\n", line(other).c_str(),
               (unsigned long long)blockAt(other.time), theirs.c_str(), before, line(me).c_str(),
               (unsigned long long)blockAt(now), mine.c_str(), verb);
        report(
            "  どちらが先かは決まっていない: 書いた後に __threadfence()、アトミック演算、読む前にアトミック演算、"
            "__threadfence() の順に通るか、カーネルを分ける\n");
    }
    reportKernel();
}

// ---------------------------------------------------------------- 大きい覚え書き
static void note(Mark& m, uint32_t me) {  // 同じ区間では、初めの人を覚えたまま、他にもいたという印を付ける
    if (m.time >= interval) {
        const unsigned lane = m.lane();
        const bool warp = lane / 32 == here.lane / 32;
        if (lane == here.lane) me |= m.others() << 30;
        else if (ordered(m.time, lane)) me |= m.who & Mark::otherWarp << 30;
        else {
            m.who |= (warp ? Mark::sameWarp : Mark::otherWarp) << 30;
            return;
        }
    }
    m = {now, me};
}
// m を最後とする人たちのうち、順序の決まっていない人
enum class Rival { none, known, someone };  // いない、m の人、同じ区間にいた他の誰か
static Rival rival(const Touch& t, const Mark& m, bool strong = false) {
    if (m.time < staleBefore(t.space)) return Rival::none;
    if (!ordered(m.time, m.lane(), strong)) return Rival::known;
    if (m.time < interval) return Rival::none;
    const bool warp = m.others() & Mark::sameWarp && m.lane() == here.lane && !metSince(m.time, false);
    return warp || (m.others() & Mark::otherWarp && !metSince(m.time, true)) ? Rival::someone : Rival::none;
}
static bool clash(const Touch& t, const Mark& m, const char* before, bool strong = false) {
    const Rival r = rival(t, m, strong);
    if (r != Rival::none) race(t, before, m, r == Rival::known);
    return r != Rival::none;
}
static bool otherBlock(const Touch& t, const Mark& m) { return m.time >= staleBefore(t.space) && m.time < blockStart; }

// アトミック演算で書かれる所を、普通に読んだ。すぐ後に自分が atomicCAS で確かめるなら、読んだ値は見当でよい。
// そうでないことが分かるまで、報告を保留する
static struct {
    Touch touch;
    Mark other;
    bool known, waiting;
} suspect;
void settle() {
    if (!suspect.waiting) return;
    suspect.waiting = false;
    race(suspect.touch, "アトミック演算をした", suspect.other, suspect.known);
}
static void readAtomic(const Touch& t, const Extended& x) {
    const Mark* m = &x.atomic;
    Rival r = rival(t, *m);
    if (r == Rival::none && !x.othersReleased) r = rival(t, *(m = &x.otherAtomic));
    if (r == Rival::none || (suspect.waiting && suspect.touch.whole == t.whole && suspect.touch.pc == t.pc)) return;
    settle();
    if (x.inVolatile) race(t, "書いた", *m, r == Rival::known);
    else suspect = {t, *m, r == Rival::known, true};
}
// volatile どうしは競合ではない。ただし、同じワープのレーンが volatile で受け渡すのは、足並みを当てにしている
static void warpVolatile(const Touch& t, const Mark& m, bool isVolatile, const char* before) {
    if (t.isVolatile && isVolatile && m.time >= blockStart && m.lane() / 32 == here.lane / 32) clash(t, m, before);
}
static void narrowScope(const Touch& t, const Extended& x) {
    if ((x.blockScope || t.scope == Scope::block) && otherBlock(t, x.atomic) && x.atomic.time >= horizon)
        clash(t, x.atomic, "アトミック演算をした");
}
static void noteAtomic(const Touch& t, Extended& x, bool released) {
    if (otherBlock(t, x.atomic)) {
        x.othersReleased = x.released && (!otherBlock(t, x.otherAtomic) || x.othersReleased);
        x.otherAtomic = x.atomic;
    }
    const bool sameInterval = x.atomic.time >= interval;
    x.released = released && (!sameInterval || x.released);
    note(x.atomic, who(t.pc));
    x.inVolatile = t.isVolatile;
    x.blockScope = t.scope == Scope::block;
}
// 普通の書き込みの後は、小さい覚え書きに戻せる。そのとき true
static bool touch(Extended& x, const Touch& t) {
    const uint32_t stale = staleBefore(t.space);
    const bool strong = t.isVolatile;
    const uint32_t written = std::max(x.write.time, x.atomic.time);
    if (t.space != Space::variable && (written == 0 || (t.space == Space::shared && written < stale)))
        firstTouch(t.p, t.size, t.kind, t.pc, false);
    const bool raced = clash(t, x.write, "書いた", strong);
    if (t.kind == Kind::read) {
        if (strong) {
            observe(t.p, Scope::device);
            if (!raced) warpVolatile(t, x.atomic, x.inVolatile, "書いた");
            note(x.strongRead, who(t.pc));
            x.readVolatile = true;
            return false;
        }
        if (!raced) readAtomic(t, x);
        if (otherBlock(t, x.read) && !ordered(x.read.time, x.read.lane())) x.otherRead = x.read;
        note(x.read, who(t.pc));
        return false;
    }
    if (t.compares && suspect.touch.whole == t.whole) suspect.waiting = false;
    if (t.compares && x.read.time >= interval && x.read.lane() == here.lane && !x.read.others())
        x.read = {};  // 見当を付けるために読んだ
    if (!raced && !clash(t, x.read, "読んだ")) clash(t, x.otherRead, "読んだ");
    if (t.kind == Kind::write && !strong) {
        const char* did = x.inVolatile ? "書いた" : "アトミック演算をした";
        if (!raced && !clash(t, x.atomic, did) && !x.othersReleased) clash(t, x.otherAtomic, did);
        if (!raced) clash(t, x.strongRead, "読んだ");
        return true;
    }
    const bool released = hasReleased();
    narrowScope(t, x);
    if (t.kind == Kind::write) {
        warpVolatile(t, x.atomic, x.inVolatile, "書いた");
        warpVolatile(t, x.strongRead, x.readVolatile, "読んだ");
    } else observe(t.p, t.scope);
    publish(t.p, t.scope, t.kind == Kind::write);
    noteAtomic(t, x, released);
    return false;
}

// ---------------------------------------------------------------- 小さい覚え書き
static __attribute__((noinline)) void special(Cell& c, const Touch& t) {
    if (c.write.time != kExtended) {
        const uint32_t k = extended.add();
        extended[k].write = c.write;
        extended[k].read = c.read;
        c = {{kExtended, k}, {}};
    }
    const uint32_t k = c.write.who;
    if (!touch(extended[k], t)) return;
    extended.remove(k);
    c = {{now, who(t.pc)}, {}};
}
static __attribute__((noinline)) void splitCell(Cell& c) {  // 4 バイトを、1 バイトずつに分ける
    const uint32_t k = split.add();
    for (unsigned b = 0; b < 4; b++) {
        split[k].cell[b] = c;
        if (c.write.time != kExtended) continue;
        const uint32_t copy = extended.add();
        extended[copy] = extended[c.write.who];
        split[k].cell[b].write.who = copy;
    }
    if (c.write.time == kExtended) extended.remove(c.write.who);
    c = {{kSplit, k}, {}};
}
static __attribute__((noinline)) void againstWriter(const Cell& c, const Touch& t) { clash(t, c.write, "書いた"); }
static __attribute__((noinline)) void againstReader(const Cell& c, const Touch& t) { clash(t, c.read, "読んだ"); }

// 普通の読み書きで 1 か所に触れる。ほとんどは、比べて覚えるだけで終わる
template <Space kSpace, Kind kKind>
static inline __attribute__((always_inline)) void check(Cell& c, char* p, unsigned size, void* pc, char* whole) {
    const unsigned lane = here.lane;
    const uint32_t w = c.write.time, r = c.read.time, stale = staleBefore(kSpace);
    const Touch t{p, size, kSpace, kKind, pc, false, false, Scope::device, lane, whole};
    if (w < stale) {
        const bool firstWrite = kKind == Kind::write && contains(lastArray, p, size);
        if (kSpace != Space::variable && (w == 0 || (kSpace == Space::shared && kKind == Kind::read)) && !firstWrite)
            firstTouch(p, size, kKind, pc, w && kSpace != Space::shared);
    } else if (w >= interval) {
        if (__builtin_expect(w > kLastTime, 0)) return special(c, t);
        if (c.write.lane() != lane) againstWriter(c, t);
    } else if (w < blockStart) againstWriter(c, t);
    if (kKind == Kind::read) {
        if (r < interval) {
            // 別のブロックの人も読んだ。後で書く人は、どちらとも比べなければならない
            if (__builtin_expect(r >= stale && r < blockStart, 0) && !ordered(r, c.read.lane())) return special(c, t);
            c.read = {now, who(pc)};
        } else if (c.read.lane() == lane) c.read = {now, who(pc) | c.read.others() << 30};
        else note(c.read, who(pc));
        return;
    }
    if (r >= stale && (r >= interval ? c.read.who >> 20 != lane : r < blockStart)) againstReader(c, t);
    c = {{now, who(pc)}, {}};
}
template <Space kSpace> static void byKind(Cell& c, const Touch& t) {
    if (t.kind == Kind::atomic || t.isVolatile) special(c, t);
    else if (t.kind == Kind::read) check<kSpace, Kind::read>(c, t.p, t.size, t.pc, t.whole);
    else check<kSpace, Kind::write>(c, t.p, t.size, t.pc, t.whole);
}
template <Space kSpace> static void word(Cell& c, Touch t, char* end) {  // 4 バイトの中の、t.p から end の前まで
    t.size = unsigned(end - t.p);
    if (c.write.time != kSplit && t.size == 4) return byKind<kSpace>(c, t);
    if (c.write.time != kSplit) splitCell(c);
    Bytes& bytes = split[c.write.who];
    for (t.size = 1; t.p < end; t.p++) byKind<kSpace>(bytes.cell[uintptr_t(t.p) % 4], t);
}
template <Space kSpace> static void words(Cell* base, char* begin, Touch t) {
    t.space = kSpace;
    for (char* end = t.p + t.size; t.p < end;) {
        char* next = std::min(end, (char*)((uintptr_t(t.p) | 3) + 1));
        word<kSpace>(base[(t.p - begin) / 4], t, next);
        t.p = next;
    }
}
// どこの読み書きでも、どの大きさでも
static __attribute__((noinline)) void anyTouch(const Touch& t) {
    const size_t offset = size_t(t.p - region);
    if (t.size == 0) return;
    if (offset < kSharedBytes) words<Space::shared>(cells, region, t);
    else if (offset < kRegionBytes) words<Space::global>(cells, region, t);
    else if (isVariable(t.p)) words<Space::variable>(variableCells, image, t);
    else if (!ownMemory(t.p)) foreign(t.p, t.kind, t.pc);
}
static inline __attribute__((always_inline)) void onAccess(char* p, size_t size, Kind kind, void* pc) {
    if (!here.inKernel) return;  // ほかの OS スレッドで動いている、ホストのコードもある
    const size_t offset = size_t(p - region);
    if (__builtin_expect(size == 4 && offset < kRegionBytes && offset % 4 == 0, 1)) {
        Cell& c = cells[offset / 4];
        if (__builtin_expect(c.write.time != kSplit, 1)) {
            const bool shared = offset < kSharedBytes;
            if (kind == Kind::read)
                return shared ? check<Space::shared, Kind::read>(c, p, 4, pc, p)
                              : check<Space::global, Kind::read>(c, p, 4, pc, p);
            return shared ? check<Space::shared, Kind::write>(c, p, 4, pc, p)
                          : check<Space::global, Kind::write>(c, p, 4, pc, p);
        }
    }
    anyTouch({p, unsigned(size), Space::global, kind, pc});
}
static void onVolatile(char* p, unsigned size, Kind kind, void* pc) {
    if (here.inKernel) anyTouch({p, size, Space::global, kind, pc, true});
}
static void onCall(int) {}
void toolAccess(const void* p, unsigned bytes, bool write, void* pc) {
    const Kind kind = write ? Kind::write : Kind::read;
    if (here.inKernel && size_t((char*)p - region) < kRegionBytes && uintptr_t(p) % bytes)
        misaligned((char*)p, bytes, kind, pc);
    onAccess((char*)p, bytes, kind, pc);
}
void toolAtomic(const void* p, unsigned bytes, const char* name, void* pc) {
    if (!here.inKernel) return;
    if (uintptr_t(p) % bytes) misaligned((char*)p, bytes, Kind::atomic, pc);
    static const char* last;
    static bool compares, blockScope;
    if (name != last) compares = strstr(name, "CAS"), blockScope = strstr(name, "_block"), last = name;
    if (suspect.waiting && !(compares && suspect.touch.whole == p)) settle();
    anyTouch({(char*)p, bytes, Space::global, Kind::atomic, pc, false, compares,
              blockScope ? Scope::block : Scope::device});
}

// ---------------------------------------------------------------- ホスト
static void clear(Cell& c, bool written) {
    if (c.write.time == kSplit) {
        for (Cell& b : split[c.write.who].cell) clear(b, written);
        split.remove(c.write.who);
    } else if (c.write.time == kExtended) extended.remove(c.write.who);
    c = {{written, 0}, {}};
}
static bool written(const Cell& c) {
    if (c.write.time == kExtended) return extended[c.write.who].write.time || extended[c.write.who].atomic.time;
    if (c.write.time != kSplit) return c.write.time;
    for (Cell& b : split[c.write.who].cell)
        if (written(b)) return true;
    return false;
}
bool isWritten(size_t word) { return written(cells[word]); }
void toolHostWrite(const void* p, size_t bytes) {
    const size_t offset = size_t((char*)p - region);
    if (offset >= kRegionBytes) return;
    for (size_t k = offset / 4; k < (offset + bytes + 3) / 4; k++) clear(cells[k], true);
}
void forgetTimes() {
    for (auto& a : arrays) {
        const bool inside = size_t(a.p - region) < kRegionBytes;
        Cell* base = inside ? cells + (a.p - region) / 4 : variableCells + (a.p - image) / 4;
        for (size_t k = 0; k < (a.bytes + 7) / 4; k++) clear(base[k], written(base[k]));
    }
}
}  // namespace cpu
using cpu::Kind;
using cpu::onAccess;
using cpu::onCall;
#define CPU_VOLATILE cpu::onVolatile
#include "../callbacks.h"
