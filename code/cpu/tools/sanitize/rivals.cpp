// rivals.cpp: 前に触れた人のうち、順序の決まっていない人を探し、報告する。
#include <map>
#include <set>
#include <unordered_map>

#include "cells.h"

namespace cpu {
static std::string line(const Mark& m) { return where(image + size_t(m.pc()) * 4); }

static const char atomically[] = "アトミック演算をした";
// 起動の終わりまで待って言うこと。読んだ命令ごとに、初めのもの
struct Held {
    bool raced;        // もう競合を言った
    std::string text;  // まだ誰も書いていない所を読んだ。競合した命令なら、言わない
    // アトミック演算で書かれる所を、普通に読んだ。読んだ値を、後で atomicCAS が確かめる命令なら、値は見当でよい:
    // 確かめるまでもなかった人もいる。そういう命令かは、起動の終わりまで分からない
    const char* before;
    Touch touch;
    Mark other;
    bool known;
    uint32_t time;
    uint3 block;
};
static std::map<uint32_t, Held> held;
static Held& heldAt(uint32_t pc) {
    return held.insert({pc, {false, "", nullptr, {}, {}, false, 0, here.block}}).first->second;
}
std::string* doubt(void* pc) {
    Held& h = heldAt(Mark{now, who(pc)}.pc());
    return h.raced || !h.text.empty() ? nullptr : &h.text;
}
// ---------------------------------------------------------------- 報告
// 時刻 time の仕事が、other の後に触れた
static __attribute__((noinline)) void race(const Touch& t, const char* before, const Mark& other, bool otherLane,
                                           uint32_t time = now) {
    const Mark me{time, who(t.pc, t.lane)};
    for (uint32_t pc : {me.pc(), other.pc()}) heldAt(pc).raced = true;
    if (!first("競合" + line(other) + line(me))) return;
    const Array* a = findArray(t.p);
    const bool sameBlock = blockAt(other.time) == blockAt(time);
    const auto named = [&](uint32_t at, const std::string& lane) {
        return sameBlock ? lane : "ブロック " + std::to_string(blockAt(at)) + " の" + lane;
    };
    report("検査: データ競合: %s\n  %s: %s が%s\n  %s: %s が%s\n", a ? placeName(*a, t.p).c_str() : "?",
           line(other).c_str(), named(other.time, otherLane ? laneName(other.lane()) : "別のスレッド").c_str(), before,
           line(me).c_str(), named(time, laneName(t.lane)).c_str(), verb(t.kind));
    const bool writes = t.kind == Kind::write && !strcmp(before, "書いた"), waited = interval > blockStart;
    const char* const mend = writes ? "全員が同じ場所に足すのなら、atomicAdd を使う。違う場所に書くはずなら、添字を直す"
                                    : "全員が同じ場所に足すのなら、atomicAdd を使う。"
                                      "ほかの人が書く要素を読むのなら、読む配列と書く配列を分ける";
    report("  どちらが先かは決まっていない: %s\n",
           sameBlock && otherLane && other.lane() / 32 == t.lane / 32
               ? "間に __syncthreads() も __syncwarp() もない。同じワープでも、一緒に進むとは限らない"
           : sameBlock ? "間に __syncthreads() がない"
           : t.kind == Kind::atomic && !strcmp(before, atomically)
               ? "ブロックの中だけのアトミック演算である: _block を付けない名前か、thread_scope_device を使う"
           : writes || line(other) == line(me)
               ? mend
               : "__syncthreads() は、ほかのブロックを待たない: カーネルを分けるか、協調起動の grid.sync() で待つか、"
                 "書いた後に __threadfence()、アトミック演算、読む前にアトミック演算、__threadfence() の順に通る");
    if (sameBlock && a && !a->shared)
        report("  %s\n", t.kind == Kind::atomic || before == atomically
                             ? "足した後の値が要るなら、読み直さず、アトミック演算の返す値を使う"
                             : mend);
    if (sameBlock && a && a->shared && waited && !writes && !t.isVolatile)
        report("  ループの中なら、次の回が書く前にも __syncthreads() が要る: 回の終わりにも置く\n");
    if (a && a->pitch) report("  行の始めは pitch バイトごとである: cudaMallocPitch の幅も、バイト数で渡す\n");
    reportKernel();
}

// ---------------------------------------------------------------- 比べ方
void note(Mark& m, uint32_t me) {  // 同じ区間では、初めの人を覚えたまま、他にもいたという印を付ける
    if (m.time >= interval) {
        const unsigned lane = m.lane();
        if (lane == here.lane) me |= (metSince(m.time, false) ? m.others() & Mark::otherWarp : m.others()) << 30;
        else if (ordered(m.time, lane)) me |= m.who & Mark::otherWarp << 30;
        else {
            m.who |= (lane / 32 == here.lane / 32 ? Mark::sameWarp : Mark::otherWarp) << 30;
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
bool clash(const Touch& t, const Mark& m, const char* before, bool strong) {
    const Rival r = rival(t, m, strong);
    if (r != Rival::none) race(t, before, m, r == Rival::known);
    return r != Rival::none;
}
static bool otherBlock(const Touch& t, const Mark& m) {
    return m.time >= staleBefore(t.space) && m.time < blockStart && blockAt(m.time) != blockNumber();
}

static std::set<uint32_t> guesses;
struct Look {  // 触れた人と、その前の値
    Mark by;
    uint64_t before;
};
struct Past {
    std::deque<Look> looks;
    size_t next;  // 最後の人が、次に見る所
};
static std::unordered_map<const char*, Past> pasts;  // 8 バイトごと
static std::unordered_map<uint32_t, size_t> tries;
static std::unordered_map<const char*, size_t> turns;  // 他の人を通した数
static std::map<std::pair<const char*, uint64_t>, unsigned> passes;  // 通した回数の 2 倍。奇数なら、いま通している
static Touch lastRead;
// ブロックの半分ほどでは、1 人が遅れる。何度目かの演算からは、ほかの全員が終わるか待つまで進まず、
// いつもいまの値を見る。待つ人は、もう 1 度見る。数えてあきらめるものは、あきらめる
struct Slow {
    uint64_t block = ~uint64_t(0), seen = 0;  // seen: 前に譲ったときの acts
    unsigned lane = 0, from = 0;  // from 回は、遅れない
    bool holds = false;
};
static Slow slow[16];  // 一緒に進むブロックごと
static uint64_t acts, rounds;  // この起動で全員がした演算の数、遅れた人が譲った回数
static std::set<uint64_t> givers;  // 値を替えてから、いまほかの人を通している人。遅れた人も、これには応じる
static Slow* slowHere() {
    const uint64_t b = blockNumber();
    Slow& s = slow[b % std::size(slow)];
    if (s.block != b) {  // 起動とブロックごとに、いつも同じ人を選ぶ
        const uint32_t launch = (workTime * 7919 + here.gridSize.x * 131 + self->threads) * 0x9E3779B9u,
                       h = (launch + uint32_t(b)) * 0x85EBCA6Bu ^ launch >> 15;
        const unsigned lane = h >> 20 & 1 ? 0 : (h >> 21 & 31) % self->warps * 32;
        s = {b, 0, h >> 31 ? lane : ~0u, (h >> 26 & 7) % 3, false};
    }
    return s.lane == here.lane ? &s : nullptr;
}
void settle() {
    for (auto& [pc, h] : held)
        if (here.block = h.block; h.before && !guesses.count(pc)) race(h.touch, h.before, h.other, h.known, h.time);
    for (auto& [pc, h] : held)
        if (here.block = h.block; !h.raced && !h.text.empty() && first("未初期化" + where(image + size_t(pc) * 4)))
            report("%s", h.text.c_str()), reportKernel();
    held.clear();
    guesses.clear();
    pasts.clear();
    tries.clear();
    turns.clear();
    passes.clear();
    std::fill(std::begin(slow), std::end(slow), Slow());
    givers.clear();
    acts = rounds = 0;
}
static uint64_t personHere() { return blockNumber() * kMaxThreads + here.lane; }
static bool isMine(const Past& p) {  // 最後に触れたのは、いまのスレッドである
    return !p.looks.empty() && p.looks.back().by.lane() == here.lane && p.looks.back().by.time >= blockStart;
}
// 続けて触れる前に、何度かは他の人を通す: 返った値を使わずに読み直せば、他の人の値が見える。
// 待たずに全員の値を読めば、足りない値が見えるように、ワープの数が偶数なら、初めの 1 度は通さない
static bool passesOthers(const void* p) {
    constexpr size_t kTurns = 8, kPasses = 4, kRound = 8;
    const bool few = acts + rounds * kRound < 1 << 15;  // 待つ人が多ければ、遅れるのも、また通すのもやめる
    const char* const at = (char*)p - uintptr_t(p) % 8;
    if (!looksBack || !here.inKernel || !isDeviceMemory(at)) return false;
    if (Slow* s = slowHere()) {
        if (s->from) return s->from--, false;
        rounds += s->holds = few && givers.empty() && !(s->holds && s->seen == acts);
        s->seen = acts;
        return s->holds;
    }
    if (!isMine(pasts[at])) return false;
    const auto me = std::make_pair(at, personHere());
    const size_t turn = passes.count(me) ? 1 : turns[at]++ + self->warps % 2;
    if (turn == 0 || turn > kTurns || passes[me] % 2 || passes[me] >= (few ? 2 * kPasses : 2)) return false;
    if (memcmp(&pasts[at].looks.back().before, at, 8)) givers.insert(me.second);
    return ++passes[me];
}
static uint32_t recalled;  // いまのスレッドが、通す前に同じ所を読んだ命令
bool toolAgain(const void* p) {
    static std::map<uint64_t, uint32_t> before;
    if (passesOthers(p)) return before.insert({personHere(), readHere(p)}), true;
    const auto mine = before.empty() ? before.end() : before.find(personHere());
    recalled = mine == before.end() ? 0 : mine->second;
    if (mine != before.end()) before.erase(mine);
    return false;
}
// 2 度目の検査では、ほかの人が書いた所を、書く前に見たことにする。続けて見れば、1 人ずつ後を見る。
// 待たずに読むものは、まだない値を読み、数えてあきらめるものは、あきらめる。待つものは、もう 1 度見る
bool lookEarly(const Touch& t) {
    // 場所ごとに覚える人の数、命令ごとに試す回数。グリッドの終わりの人は、覚えている全員に先を越される
    constexpr size_t kKept = 2048, kTries = 256;
    static const Past* fooled;  // 前に見たことにした所。here.early のままなら、その値を使った
    const size_t offset = uintptr_t(t.p) % 8;
    if (!looksBack || offset + t.size > 8 || !isDeviceMemory(t.p)) return false;
    const dim3& grid = runningLaunch().grid;
    const bool final = (t.lane + 1) % self->threads < 2 && blockNumber() + 1 == uint64_t(grid.x) * grid.y * grid.z;
    Past& p = pasts[t.p - offset];
    auto& looks = p.looks;
#ifndef __wasm__  // ページの中では、部品の中で待てない (wasm/waits.js)
    while (toolAgain(t.p)) yield(), reveal();
#endif
    acts++;
    const auto passed = passes.find({t.p - offset, personHere()});
    const bool back = passed != passes.end() && passed->second % 2 && ++passed->second;
    if (back) givers.erase(personHere());
    const Slow* const s = slowHere();
    const bool late = back || (s && s->from == 0);
    uint64_t value;
    memcpy(&value, t.p - offset, 8);
    const Mark me{now, who(t.pc)};
    const bool again = isMine(p) && looks.back().before == value;
    looked |= again;
    if (again) looks.back().by = me;
    else looks.push_back({me, value});
    if (looks.size() > kKept) looks.pop_front();
    const bool retries = again && fooled == &p && here.early;
    const size_t last = looks.size() - 1, seen = !again ? 0 : retries ? p.next : last;
    const uint32_t stale = std::max(1u, size_t(t.p - region) < kSharedBytes ? sharedStart : horizon);
    const auto open = [&](const Mark& m) { return m.time >= stale && !heard(m.time, m.lane()); };
    size_t k = last, &tried = tries[me.pc()];
    while (!late && (tried < kTries || final) && k > seen && open(looks[k - 1].by)) k--;
    tried += k < last;
    const auto earlier = [&] { return (char*)&looks[k].before + offset; };
    const auto same = [&](const void* v) { return !memcmp(earlier(), v, t.size); };
    while (k < last && (same(t.p) || (retries && t.compares && same(&here.earlier))))
        k++;  // 見た値のままなら、替えられる
    fooled = k < last ? &p : nullptr;
    if (fooled) memcpy(&here.earlier, earlier(), t.size);
    p.next = k + 1;
    return fooled;
}
static bool hold(const Touch& t, const Mark& reader, const Mark& other, const char* before) {
    const Rival r = rival(t, other);
    if (r == Rival::none) return false;
    Held& h = heldAt(reader.pc());
    if (!h.before) h = {h.raced, h.text, before, t, other, r == Rival::known, now, here.block};
    return true;
}
// volatile どうしは競合ではない。ただし、同じワープのレーンが volatile で受け渡すのは、足並みを当てにしている
static void warpVolatile(const Touch& t, const Mark& m, bool isVolatile, const char* before) {
    if (t.isVolatile && isVolatile && m.time >= blockStart && m.lane() / 32 == here.lane / 32) clash(t, m, before);
}
void againstWork(const Extended& x, const char* p, Kind kind) {
    againstWork(p, x.write.time, "書いた", verb(kind));
    if (kind != Kind::atomic) againstWork(p, x.atomic.time, x.inVolatile ? "書いた" : atomically, verb(kind));
    if (kind != Kind::read) againstWork(p, std::max(x.read.time, x.strongRead.time), "読んだ", verb(kind));
}
// 普通の書き込みの後は、小さい覚え書きに戻せる。そのとき true
bool touch(Extended& x, const Touch& t) {
    if (t.space != Space::shared && unsure < kLastTime) {
        againstWork(x, t.p, t.kind);
        // 封筒や札を 0 に戻して渡す所は、1 度に 1 つの仕事のものである。ほかの仕事が同時に使うと、混ざる
        uint32_t value = 1;
        memcpy(&value, t.p, t.size);
        if (x.hands && t.hands && value == 0) againstWork(t.p, x.atomic.time, atomically, verb(t.kind));
    }
    const uint32_t stale = staleBefore(t.space);
    const uint32_t written = std::max(x.write.time, x.atomic.time);
    const Kind kind = t.stores ? Kind::write : t.kind;
    const bool born = written && (t.space != Space::shared || written >= stale);
    if (t.space != Space::variable && (!born || (kind != Kind::write && !ordered(x.birth.time, x.birth.lane(), true))))
        firstTouch(t.p, t.size, kind, t.pc, t.whole, false);
    if (!born) x.birth = {now, who(t.pc)};
    const bool raced = clash(t, x.write, "書いた", t.isVolatile);
    if (t.kind == Kind::read) {
        if (t.isVolatile) {
            observe(t.p, t.size, Scope::device);
            if (!raced) warpVolatile(t, x.atomic, x.inVolatile, "書いた");
            note(x.strongRead, who(t.pc));
            x.readVolatile = true;
            return false;
        }
        const auto told = [&](const Mark& m) {
            return x.inVolatile ? clash(t, m, "書いた") : hold(t, {now, who(t.pc)}, m, atomically);
        };
        if (!raced) lastRead = t;
        if (!raced && !told(x.atomic) && !x.othersReleased) told(x.otherAtomic);
        if (otherBlock(t, x.read) && !ordered(x.read.time, x.read.lane())) x.otherRead = x.read;
        note(x.read, who(t.pc));
        return false;
    }
    if (t.compares && lastRead.whole == t.whole && lastRead.lane == t.lane)
        guesses.insert(Mark{now, who(lastRead.pc)}.pc());
    if (t.compares && recalled) guesses.insert(recalled);
    if (t.compares && x.read.time >= interval && x.read.lane() == here.lane && !x.read.others()) {
        guesses.insert(x.read.pc());
        x.read = {};  // 見当を付けるために読んだ
    }
    const auto afterRead = [&](const Mark& m) {
        return t.kind == Kind::atomic ? hold(t, m, m, "読んだ") : clash(t, m, "読んだ");
    };
    if (!raced && !afterRead(x.read)) afterRead(x.otherRead);
    if (t.kind == Kind::write && !t.isVolatile) {
        const char* did = x.inVolatile ? "書いた" : atomically;
        if (!raced && !clash(t, x.atomic, did) && !x.othersReleased) clash(t, x.otherAtomic, did);
        if (!raced) clash(t, x.strongRead, "読んだ");
        return true;
    }
    const bool released = hasReleased();
    if ((x.blockScope || t.scope == Scope::block) && otherBlock(t, x.atomic) && x.atomic.time >= horizon)
        clash(t, x.atomic, atomically);
    if (x.wide != t.wide) clash(t, x.atomic, x.inVolatile ? "書いた" : "大きさの違うアトミック演算をした");
    if (t.kind == Kind::write) {
        warpVolatile(t, x.atomic, x.inVolatile, "書いた");
        warpVolatile(t, x.strongRead, x.readVolatile, "読んだ");
    } else if (!t.stores) observe(t.p, t.size, t.scope);
    publish(t.p, t.size, t.scope, t.stores || t.kind == Kind::write);
    if (otherBlock(t, x.atomic)) {
        x.othersReleased = x.released && (!otherBlock(t, x.otherAtomic) || x.othersReleased);
        x.otherAtomic = x.atomic;
    }
    x.released = released && (x.atomic.time < interval || x.released);
    note(x.atomic, who(t.pc));
    x.inVolatile = t.isVolatile;
    x.blockScope = t.scope == Scope::block;
    x.wide = t.wide, x.hands = t.hands;
    return false;
}
}  // namespace cpu
