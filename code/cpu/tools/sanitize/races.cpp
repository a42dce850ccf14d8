// races.cpp: データ競合を探す。触れるたびに、覚え書き (cells.h) にある前の人と比べる。
// 2 人が同じ場所に触れ、少なくとも 1 人が書き、どちらが先かが決まっていなければ (order.h)、データ競合である。
#include "cells.h"

namespace cpu {
static Cell* makeCells(size_t bytes) {
    char* m = reserve(bytes * 4, "覚え書き");
    preferHugePages(m, bytes * 4);
    return (Cell*)m;
}
static const bool sizeChecked = [] {
    if (codeBytes() / 4 <= Mark::kLargestPc) return true;
    stopProgram("検査: プログラムの命令が 4 MiB より長いので、調べられない: カーネルを別のファイルに分ける\n");
}();
static Cell* const cells = makeCells(kRegionBytes);
static Cell* const variableCells = makeCells(imageBytes());  // __device__ 変数は、プログラムの中にある
static Cell* cellOf(const void* p) {  // 区間か変数の、p の覚え書き。ほかの所なら nullptr
    if (size_t((char*)p - region) < kRegionBytes) return cells + ((char*)p - region) / 4;
    return isVariable((char*)p) ? variableCells + ((char*)p - image) / 4 : nullptr;
}
static Store<Extended> extended;
static Store<Bytes> split;

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

static bool written(const Cell& c);
size_t filledBytes(const Array& a) {
    size_t bytes = 0;
    while (bytes < a.bytes && written(*cellOf(a.p + bytes))) bytes += 4;
    return bytes;
}
// まだ誰も書いていない変数を読む。0 なので、ふつうは正しい。写したバイト数を要素の数と見れば届く所なら、数え違いである
static __attribute__((noinline)) void shortCopy(char* p, void* pc) {
    const Array* a = findArray(p);
    const size_t bytes = filledBytes(*a);
    if (a->constant == 2 && !bytes && std::all_of(a->p, a->p + a->bytes, [](char c) { return !c; }))
        complain("定数", pc, "__constant__ の " + a->name + " に、誰も値を入れていない: どこも 0 である",
                 "起動する前に、ホストから cudaMemcpyToSymbol で写す");
    if (*(uint32_t*)p || a->element.bytes == 1 || size_t(p - a->p) / a->element.bytes >= bytes) return;
    complain("写さない", pc,
             "cudaMemcpyToSymbol が、初めの " + std::to_string(bytes) +
                 " バイトしか写していない: " + elementName(*a, p) + " を読んだ",
             "要素の数ではなく、sizeof を掛けたバイト数を渡す");
}
// 普通の読み書きで 1 か所に触れる。ほとんどは、比べて覚えるだけで終わる
template <Space kSpace, Kind kKind>
static inline __attribute__((always_inline)) void check(Cell& c, char* p, unsigned size, void* pc, char* whole) {
    const unsigned lane = here.lane;
    const uint32_t w = c.write.time, r = c.read.time, stale = staleBefore(kSpace);
    const Touch t{p, size, kSpace, kKind, pc, false, false, Scope::device, lane, whole};
    if (w < stale) {
        if (kSpace != Space::shared && __builtin_expect(w >= unsure, 0)) againstWork(p, w, "書いた", verb(kKind));
        const bool firstWrite = kKind == Kind::write && contains(lastArray, p, size);
        if (kSpace == Space::variable && kKind == Kind::read && w == 0) shortCopy(p, pc);
        if (kSpace != Space::variable && (w == 0 || (kSpace == Space::shared && kKind == Kind::read)) && !firstWrite)
            firstTouch(p, size, kKind, pc, whole, w && kSpace != Space::shared);
    } else if (w >= interval) {
        if (__builtin_expect(w > kLastTime, 0)) return special(c, t);
        if (c.write.lane() != lane) clash(t, c.write, "書いた");
    } else if (w < blockStart) clash(t, c.write, "書いた");
    if (kKind == Kind::read) {
        if (r < interval) {
            // 別のブロックの人も読んだ。後で書く人は、どちらとも比べなければならない
            if (__builtin_expect(r >= stale && r < blockStart, 0) && !ordered(r, c.read.lane())) return special(c, t);
            c.read = {now, who(pc)};
        } else if (c.read.who >> 20 == lane) c.read = {now, who(pc)};
        else note(c.read, who(pc));
        return;
    }
    if (r >= stale && (r >= interval ? c.read.who >> 20 != lane : r < blockStart)) clash(t, c.read, "読んだ");
    if (kSpace != Space::shared && __builtin_expect(r >= unsure && r < stale, 0))
        againstWork(p, r, "読んだ", verb(kKind));
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
// ホストが値を入れなかった所を読む。構造体を丸ごと写すだけなら、使わないのかもしれない
static __attribute__((noinline)) void unfilled(char* p, size_t size, void* pc) {
    const Array* a = findArray(p);
    const Mark& m = cellOf(p)->write;
    if (!a || a->shared || a->element.bytes == 1 || size > 16 || m.time == 0 || m.time >= horizon || m.pc()) return;
    if (!std::all_of((uint32_t*)p, (uint32_t*)(p + size), isUnfilled)) return;
    const Site copy = copyAt(m.time);
    if (!copy.line && !isEverywhere(memoryOf(p))) return;
    const std::string copied = copy.line ? copy.file + (":" + std::to_string(copy.line)) + " で写した。" : "";
    complain("入れない", pc, "ホストが値を入れていない所を、カーネルが読んだ: " + placeName(*a, p),
             copied + "その前に、ホストで全部の要素に値を入れる");
}
// どこの読み書きでも、どの大きさでも
static __attribute__((noinline)) void anyTouch(const Touch& t) {
    const size_t offset = size_t(t.p - region);
    if (t.size == 0) return;
    if (t.kind != Kind::write && !t.stores && t.size >= 4 && findArray(t.p) && isUnfilled(*(uint32_t*)t.p))
        unfilled(t.p, t.size, t.pc);
    if (offset < kSharedBytes) words<Space::shared>(cells, region, t);
    else if (offset < kRegionBytes) words<Space::global>(cells, region, t);
    else if (isVariable(t.p) && t.kind != Kind::read && findArray(t.p)->constant) constantWrite(t.p, t.pc);
    else if (isVariable(t.p)) words<Space::variable>(variableCells, image, t);
    else if (!ownMemory(t.p)) foreign(t.p, t.kind, t.pc);
}
// 区間の中の、4 の倍数の番地から 4 の倍数のバイト数
static inline __attribute__((always_inline)) void alignedWords(size_t offset, size_t size, Kind kind, void* pc) {
    char* const whole = region + offset;
    const bool shared = offset < kSharedBytes;
    for (const size_t end = offset + size; offset < end; offset += 4) {
        Cell& c = cells[offset / 4];
        char* p = region + offset;
        if (__builtin_expect(c.write.time == kSplit, 0))
            anyTouch({p, 4, Space::global, kind, pc, false, false, Scope::device, here.lane, whole});
        else if (kind == Kind::read && shared) check<Space::shared, Kind::read>(c, p, 4, pc, whole);
        else if (kind == Kind::read) check<Space::global, Kind::read>(c, p, 4, pc, whole);
        else if (shared) check<Space::shared, Kind::write>(c, p, 4, pc, whole);
        else check<Space::global, Kind::write>(c, p, 4, pc, whole);
        if (kind == Kind::read && __builtin_expect(isUnfilled(*(uint32_t*)p), 0)) unfilled(whole, size, pc);
    }
}
static __attribute__((noinline)) void manyWords(size_t offset, size_t size, Kind kind, void* pc) {
    alignedWords(offset, size, kind, pc);
}
// volatile などの読み出しは、この後でメモリを読む。書く前に見たことにするなら、次に誰かが触れるまで、前の値に戻しておく
static struct {
    char* p;
    unsigned size;
    uint64_t value;
} hidden;
void reveal() {
    if (hidden.size) memcpy(hidden.p, &hidden.value, hidden.size);
    hidden.size = 0;
}
static void hide(char* p, unsigned size) {
    hidden = {p, size, 0};
    memcpy(&hidden.value, p, size);
    memcpy(p, &here.earlier, size);
}
// アトミック演算で書かれる所を、普通に読む。競合でないなら atomicCAS の見当なので、古くてもよい: やり直すはずである
static __attribute__((noinline)) void guess(char* p, unsigned size, void* pc) {
    const Cell* c = size > 8 ? nullptr : cellOf(p);
    if (!c || c->write.time != kExtended || !extended[c->write.who].atomic.time) return;
    if ((here.early = lookEarly({p, size, Space::global, Kind::read, pc}))) hide(p, size);
}
static inline __attribute__((always_inline)) void onAccess(char* p, size_t size, Kind kind, void* pc) {
    if (__builtin_expect(hidden.size, 0)) reveal();
    if (!here.inKernel) return hostAccess(p, unsigned(size), kind, pc);  // ほかの OS スレッドのこともある
    if (__builtin_expect(looksBack && kind == Kind::read, 0)) guess(p, unsigned(size), pc);
    const size_t offset = size_t(p - region);
    if (__builtin_expect(offset < kRegionBytes && (offset | size) % 4 == 0, 1)) {
        if (size == 4) alignedWords(offset, 4, kind, pc);
        else manyWords(offset, size, kind, pc);
        return;
    }
    const size_t above = size_t(p - (char*)__builtin_frame_address(0));
    if (above < kStackBytes || isIndex(p)) return;  // 呼んだ関数の変数
    if (-above < kGoneBytes) return foreign(p, kind, pc);
    anyTouch({p, unsigned(size), Space::global, kind, pc});
}
static void onVolatile(char* p, unsigned size, Kind kind, void* pc) {
    if (!here.inKernel) return;
    reveal();
    Touch t{p, size, Space::global, kind, pc, true};
    t.wide = size == 8;
    here.early = lookEarly(t);
    anyTouch(t);
    if ((here.early &= kind == Kind::read)) hide(p, size);
}
static void overlap(void* p, void* pc) {
    if (!here.inKernel) return;
    const Array* a = findArray((char*)p);
    complain("重なる", pc, "memcpy の写す元と先が重なっている: 結果は決まらない。別の所に写してから、そこから写す",
             a ? "写す先は " + placeName(*a, (char*)p) : "");
}
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
    static bool compares, stores, blockScope, hands;
    if (name != last) {
        compares = strstr(name, "CAS") || strchr(name, 'M');  // atomicMax と atomicMin も、比べて替える
        stores = strstr(name, "store"), blockScope = strstr(name, "_block");
        hands = strstr(name, "Exch") || strstr(name, "Inc");
        last = name;
    }
    Touch t{(char*)p, bytes, Space::global, Kind::atomic, pc, false, compares};
    t.stores = stores, t.scope = blockScope ? Scope::block : Scope::device;
    t.wide = bytes == 8, t.hands = hands;
    reveal();
    here.early = lookEarly(t);
    anyTouch(t);
}

static void written(const void* p, void* pc, const char* how, const char* advice) {
    const Array* a = findArray((char*)p);
    const Cell* c = cellOf(p);
    if (!here.inKernel || !a || a->shared || !c) return;
    Mark m = c->write;
    if (m.time == kExtended) {
        const Extended& x = extended[m.who];
        m = x.atomic.time > x.write.time ? x.atomic : x.write;
    }
    if (m.time < launchStart || m.time > kLastTime || !first(how + where(pc))) return;
    report("検査: %s: %s\n  %s で書いた\n  %s: %s が読んだ\n  %s\n", how, placeName(*a, (char*)p).c_str(),
           where(image + size_t(m.pc()) * 4).c_str(), where(pc).c_str(), threadName().c_str(), advice);
    reportKernel();
}
// __pipeline_memcpy_async: 待つまでは、まだ誰も書いていない所にする。待った所で、書く
struct Copying {
    char* p;
    const void* from;
    size_t bytes, commits;
    uint64_t owner;  // 起動とブロック
};
static std::vector<Copying> copying[kMaxThreads];
void toolPipeline(void* pc, size_t n, void* to, const void* from) {
    const uint64_t me = blockNumber() << 32 | workTime;
    auto& mine = copying[here.lane];
    pipelined = true;
    if (to) return mine.push_back({(char*)to, from, n, 0, me}), forgetCells((char*)to, n);
    for (Copying& c : mine) {
        const bool done = c.owner == me && n && c.commits >= n;
        c.commits += c.owner == me && !n;
        if (done && c.from && memcmp(c.from, c.p, c.bytes))
            written(c.from, pc, "__pipeline_memcpy_async が写している間に書いた",
                    "__pipeline_wait_prior() で待ってから書く");
        if (done) toolAccess(c.p, unsigned(c.bytes), true, pc), c.owner = 0;
    }
    mine.erase(std::remove_if(mine.begin(), mine.end(), [](const Copying& c) { return !c.owner; }), mine.end());
}
// __ldg は、起動の間に変わらない所だけを読める。順序が決まっていても、読むのは古い値かもしれない
void toolConstant(const void* p, void* pc) {
    written(p, pc, "同じカーネルが書いた所を __ldg で読んだ",
            "__ldg は、カーネルの間に変わらない所だけを読める: 普通に読むか、__ldcg を使う");
}

// ---------------------------------------------------------------- ホスト
// コピーが触れる p と、前の仕事
static void againstWorks(const Cell& c, const char* p, Kind kind) {
    if (c.write.time == kSplit)
        for (Cell& b : split[c.write.who].cell) againstWorks(b, p, kind);
    else if (c.write.time == kExtended) againstWork(extended[c.write.who], p, kind);
    else {
        againstWork(p, c.write.time, "書いた", verb(kind));
        if (kind == Kind::write) againstWork(p, c.read.time, "読んだ", verb(kind));
    }
}
static void clear(Cell& c, uint32_t written) {
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
bool touchedSince(const char* p, uint32_t time) {
    Cell c = cells[(p - region) / 4];
    if (c.write.time == kSplit) c = split[c.write.who].cell[uintptr_t(p) % 4];
    if (c.write.time != kExtended) return std::max(c.write.time, c.read.time) >= time;
    const Extended& x = extended[c.write.who];
    return std::max({x.write.time, x.read.time, x.atomic.time, x.strongRead.time}) >= time;
}
uint32_t readHere(const void* p) {
    const Cell* c = cellOf(p);
    const Mark m = !c ? Mark() : c->write.time == kExtended ? extended[c->write.who].read : c->read;
    return m.time >= interval && m.lane() == here.lane && !m.others() ? m.pc() : 0;
}
bool isUnread(const Array& a) {
    const Cell* const c = cells + (a.p - region) / 4;
    const auto quiet = [](const Cell& c) { return c.write.time < kLastTime && !c.read.time; };
    return std::all_of(c, c + a.bytes / 4, quiet) &&
           std::any_of(c, c + a.bytes / 4, [](const Cell& c) { return c.write.pc(); });
}
bool isWritten(size_t word) { return written(cells[word]); }
bool isFromKernel(size_t word) { return cells[word].write.time > kLastTime || cells[word].write.pc(); }
std::string writtenAt(size_t word) {
    const Mark m = cells[word].write;
    return m.time == 0 || m.time >= kLastTime || m.pc() == 0 ? "" : where(image + size_t(m.pc()) * 4);
}
void toolHostWrite(const void* p, size_t bytes) {
    Cell* const first = cellOf(p);
    for (size_t k = 0; first && k < (uintptr_t(p) % 4 + bytes + 3) / 4; k++) {
        if (unsure < kLastTime) againstWorks(first[k], (char*)p + 4 * k, Kind::write);
        clear(first[k], std::max(workTime, 1u));
    }
}
void forgetCells(const char* p, size_t bytes) {
    const size_t offset = size_t(p - region);
    for (size_t k = offset / 4; offset < kRegionBytes && k < (offset + bytes + 3) / 4; k++)
        if (cells[k].write.time || cells[k].read.time) clear(cells[k], 0);
}
void toolReserved(const void* p, size_t bytes) {  // 書く仕事は、この後でなければならない
    Cell* const first = cellOf(p);
    for (size_t k = 0; first && k < (uintptr_t(p) % 4 + bytes + 3) / 4; k++) {
        if (unsure < kLastTime) againstWorks(first[k], (char*)p + 4 * k, Kind::read);
        if (first[k].write.time < kLastTime) first[k].read = {workTime, 0};
    }
}
void forgetTimes() {
    forgetWorks();
    for (auto& a : arrays) {
        const bool inside = size_t(a.p - region) < kRegionBytes;
        Cell* base = inside ? cells + (a.p - region) / 4 : variableCells + (a.p - image) / 4;
        for (size_t k = 0; k < (a.bytes + 7) / 4; k++) clear(base[k], written(base[k]));
    }
}
}  // namespace cpu
#define CPU_TOUCH_VOLATILE cpu::onVolatile
#define CPU_OVERLAP ::cpu::overlap
#include "../callbacks.h"
