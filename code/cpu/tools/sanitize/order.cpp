// order.cpp: バリアと、フェンスとアトミック演算による受け渡しを覚える。
#include <algorithm>
#include <unordered_map>

#include "clock.h"
#include "sanitize.h"

namespace cpu {
static std::vector<std::pair<uint32_t, uint64_t>> blocks;  // 始まった時刻 → ブロックの番号
static unsigned current() { return unsigned(blocks.size() - 1); }
static unsigned indexAt(uint32_t time) {
    auto it = std::upper_bound(blocks.begin(), blocks.end(), std::make_pair(time, ~uint64_t(0)));
    return unsigned(it - blocks.begin() - 1);
}
uint64_t blockAt(uint32_t time) { return blocks[indexAt(time)].second; }

// ---------------------------------------------------------------- ワープ
struct WarpTimes {
    unsigned live;        // ワープにいるレーン
    uint32_t full;        // 全員がそろった最後の時刻
    bool partial;         // その後に、一部がそろったか
    uint32_t met[32][32];  // met[a][b]: a は、b のこの時刻より前のことを知っている
};
static WarpTimes warps[kMaxThreads / 32];
static uint32_t knownInWarp(unsigned me, unsigned other) {  // 同じワープの other の、いつより前を知っているか
    const WarpTimes& w = warps[me / 32];
    return std::max(w.full, w.partial ? w.met[me % 32][other % 32] : 0);
}
static void meet(WarpTimes& w, unsigned group) {
    if ((group & w.live) == w.live) {
        w.full = now;
        w.partial = false;
        return;
    }
    if (!w.partial) memset(w.met, 0, sizeof w.met);
    w.partial = true;
    uint32_t all[32] = {};
    for (unsigned a = 0; a < 32; a++)
        for (unsigned b = 0; b < 32 && group >> a & 1; b++)
            all[b] = std::max(all[b], group >> b & 1 ? now : w.met[a][b]);
    for (unsigned a = 0; a < 32; a++)
        if (group >> a & 1) memcpy(w.met[a], all, sizeof all);
}

// ---------------------------------------------------------------- フェンスと受け渡し
// 知らせ: フェンスの前に済んだことを、その後のアトミック演算が場所に置く。見た人は、フェンスを通ると、それを知る。
// バリアとワープの同期は、知っていること、見たこと、知らせることのすべてを、全員のものにする。
struct Person {
    Clock acquired, seen[2], released[2];  // [Scope]
    void learn(const Person& o) {
        acquired.learn(o.acquired);
        for (int s = 0; s < 2; s++) seen[s].learn(o.seen[s]), released[s].learn(o.released[s]);
    }
};
struct Place {
    Clock clock[2];  // [Scope]。ブロックの中だけへの知らせは、block のもの
    unsigned block;
    uint64_t before;  // 最後に値を変える前の値と、そのときの知らせ。同じ値を書いても、見た人には分からない
    Clock known[2];
};
static bool handing;  // この起動で、誰かがフェンスを通ったか。それまでは、受け渡しはない
static Person common, persons[kMaxThreads];
static bool own[kMaxThreads];  // common と違うことを知っている人
static std::vector<unsigned> owners;
static uint32_t fenced[2][kMaxThreads];  // この区間で通ったフェンスのうち、まだ released に入れていないもの
static std::vector<unsigned> fencers;
static std::unordered_map<const void*, Place> places;

static Person& edit(unsigned lane) {
    if (!own[lane]) persons[lane] = common, own[lane] = true, owners.push_back(lane);
    return persons[lane];
}
static const Person& view(unsigned lane) { return own[lane] ? persons[lane] : common; }
static void forgetPersons() {
    for (unsigned lane : owners) persons[lane] = {}, own[lane] = false;
    for (unsigned lane : fencers) fenced[0][lane] = fenced[1][lane] = 0;
    owners.clear();
    fencers.clear();
    common = {};
}
static Known beforeFences(unsigned s, const unsigned* lanes, size_t count) {  // lanes のフェンスの前に済んだこと
    uint32_t times[kMaxThreads] = {};
    unsigned from = kMaxThreads, to = 0;
    for (size_t k = 0; k < count; k++) {
        const unsigned lane = lanes[k], warp = lane / 32 * 32;
        if (!fenced[s][lane]) continue;
        from = std::min(from, warp), to = std::max(to, warp + 32);
        for (unsigned other = warp; other < warp + 32; other++)
            times[other] = std::max(times[other], knownInWarp(lane, other));
        times[lane] = std::max(times[lane], fenced[s][lane]);
    }
    Known known;
    if (to) known.all = interval;
    for (unsigned lane = from; lane < to; lane++)
        if (times[lane] > interval) known.lanes.push_back({lane, times[lane]});
    return known;
}
static void foldFence(unsigned lane) {
    for (int s = 0; s < 2; s++) {
        if (!fenced[s][lane]) continue;
        Person& p = edit(lane);
        p.released[s].learn(p.acquired);
        p.released[s].learn(Clock::of(current(), beforeFences(s, &lane, 1)));
        fenced[s][lane] = 0;
    }
}
void fence(Scope scope) {
    if (!here.inKernel) return;
    handing = true;
    now++;
    const unsigned lane = here.lane;
    const Person& before = view(lane);
    if (before.seen[0] || before.seen[1]) {
        foldFence(lane);
        Person& p = edit(lane);
        p.acquired.learn(p.seen[int(Scope::block)]);
        if (scope == Scope::device) p.acquired.learn(p.seen[int(Scope::device)]);
        else if (const Known* k = p.seen[int(Scope::device)].find(current()))
            p.acquired.learn(Clock::of(current(), *k));
    }
    if (!fenced[0][lane] && !fenced[1][lane]) fencers.push_back(lane);
    fenced[int(Scope::block)][lane] = now;
    if (scope == Scope::device) fenced[int(Scope::device)][lane] = now;
}
bool hasReleased() {
    if (!handing) return false;
    const Person& p = view(here.lane);
    return fenced[int(Scope::device)][here.lane] || p.released[int(Scope::device)];
}
static uint64_t valueAt(const void* place, unsigned bytes) {
    uint64_t v = 0;
    memcpy(&v, place, bytes);
    return v;
}
void publish(const void* place, unsigned bytes, Scope scope, bool replace) {
    if (!handing) return;
    foldFence(here.lane);
    const Person& p = view(here.lane);
    const auto found = places.find(place);
    if (found == places.end() && !p.released[0] && !p.released[1]) return;
    Place& at = found != places.end() ? found->second : places[place];
    if (at.block != current()) at.clock[int(Scope::block)] = {}, at.block = current();
    const uint64_t value = valueAt(place, bytes);
    if (found == places.end() || value != at.before) {
        at.before = value;
        for (int s = 0; s < 2; s++) at.known[s] = at.clock[s];
    }
    for (int s = 0; replace && s < 2; s++) at.clock[s] = {};
    at.clock[int(Scope::block)].learn(p.released[int(Scope::block)]);
    if (scope == Scope::device) at.clock[int(Scope::device)].learn(p.released[int(Scope::device)]);
}
void observe(const void* place, unsigned bytes, Scope scope) {
    if (!handing) return;
    const auto found = places.find(place);
    if (found == places.end()) return;
    const Place& at = found->second;
    const Clock* const told = bytes && valueAt(place, bytes) == at.before ? at.known : at.clock;
    Person& p = edit(here.lane);
    if (at.block == current()) p.seen[int(Scope::block)].learn(told[int(Scope::block)]);
    if (scope == Scope::device) p.seen[int(Scope::device)].learn(told[int(Scope::device)]);
}

bool ordered(uint32_t time, unsigned lane, bool strong) {
    if (time < horizon) return true;
    const unsigned me = here.lane;
    if (time >= blockStart) {
        if (time < interval || lane == me) return true;
        if (lane / 32 == me / 32 && knownInWarp(me, lane) > time) return true;
    }
    if (!handing) return false;
    const unsigned block = indexAt(time);
    const Person& p = view(me);
    return p.acquired.covers(block, lane, time) ||
           (strong && (p.seen[0].covers(block, lane, time) || p.seen[1].covers(block, lane, time)));
}
bool heard(uint32_t time, unsigned lane) {
    const unsigned block = indexAt(time);
    for (unsigned me : owners)
        for (auto& c : {persons[me].acquired, persons[me].seen[0], persons[me].seen[1]})
            if (c.covers(block, lane, time)) return true;
    return ordered(time, lane, true);
}
bool metSince(uint32_t time, bool anyWarp) {
    const unsigned me = here.lane;
    if (handing && view(me).acquired.find(current())) return true;
    const WarpTimes& w = warps[me / 32];
    if (anyWarp) return false;
    uint32_t last = w.full;
    for (unsigned k = 0; k < 32 && w.partial; k++) last = std::max(last, w.met[me % 32][k]);
    return last > time;
}

// ---------------------------------------------------------------- 起動、ブロック、バリア
void beginOrder() {
    handing = false;
    horizon = ++now;
    places.clear();
    blocks.clear();
}
void endOrder() { forgetPersons(); }
void enterBlock(uint64_t b) {
    blockStart = interval = ++now;
    blocks.push_back({now, b});
    forgetPersons();
    const unsigned threads = here.blockSize.x * here.blockSize.y * here.blockSize.z;
    for (unsigned w = 0; w * 32 < threads; w++) {
        warps[w].full = 0;
        warps[w].partial = false;
        warps[w].live = threads - w * 32 >= 32 ? ~0u : (1u << (threads - w * 32)) - 1;
    }
}
void joinBlock() {
    if (handing) {
        std::sort(fencers.begin(), fencers.end());
        for (unsigned lane : owners)
            foldFence(lane), common.learn(persons[lane]), persons[lane] = {}, own[lane] = false;
        owners.clear();
        for (int k = 0; k < 2; k++) {
            Known known = beforeFences(k, fencers.data(), fencers.size());
            if (!known.all) continue;
            common.released[k].learn(common.acquired);
            common.released[k].learn(Clock::of(current(), std::move(known)));
        }
        for (unsigned lane : fencers) fenced[0][lane] = fenced[1][lane] = 0;
        fencers.clear();
    }
    interval = ++now;
}
void joinWarp(unsigned warp, unsigned group) {
    now++;
    if (handing) {
        Person all;
        bool any = false;
        for (unsigned m = group; m; m &= m - 1) {
            const unsigned lane = warp * 32 + unsigned(__builtin_ctz(m));
            foldFence(lane);
            if (own[lane]) all.learn(persons[lane]), any = true;
        }
        for (unsigned m = any ? group : 0; m; m &= m - 1) edit(warp * 32 + unsigned(__builtin_ctz(m))) = all;
    }
    meet(warps[warp], group);
}
}  // namespace cpu
