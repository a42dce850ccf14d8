// order.cpp: バリアと、フェンスとアトミック演算による受け渡しを覚える。
#include <deque>
#include <unordered_map>

#include "clock.h"
#include "sanitize.h"

namespace cpu {
static std::vector<std::pair<uint32_t, unsigned>> starts;  // 始まった (か続けた) 時刻 → ブロックの何番目か
static std::vector<uint64_t> blocks;  // 始まった順の、ブロックの番号
static unsigned current() { return starts.back().second; }
static unsigned indexAt(uint32_t time) {
    auto it = std::upper_bound(starts.begin(), starts.end(), std::make_pair(time, ~0u));
    return it[-1].second;
}
uint64_t blockAt(uint32_t time) { return blocks[indexAt(time)]; }

// ---------------------------------------------------------------- ワープ
struct WarpTimes {
    unsigned live;        // ワープにいるレーン
    uint32_t full;        // 全員がそろった最後の時刻
    bool partial;         // その後に、一部がそろったか
    uint32_t met[32][32];  // met[a][b]: a は、b のこの時刻より前のことを知っている
};
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
    Clock met;  // 書いた所に、前に触れた人の知らせ。値からは分からなくても、フェンスを通れば、それより前には戻れない
    void learn(const Person& o) {
        acquired |= o.acquired, met |= o.met;
        for (int s = 0; s < 2; s++) seen[s] |= o.seen[s], released[s] |= o.released[s];
    }
};
struct Place {
    Clock clock[2];  // [Scope]。ブロックの中だけへの知らせは、block のもの
    Clock met;       // 値を替えなかった人も含めて、アトミック演算をした全員の知らせ
    unsigned block;
    uint64_t before;  // 最後に値を変える前の値と、そのときの知らせ。同じ値を書いても、見た人には分からない
    Clock known[2];
};
static bool handing;  // この起動で、誰かがフェンスを通ったか。それまでは、受け渡しはない
struct Block {  // いまのブロック。協調起動では、OS スレッドごとに 1 つが、かわるがわる動く
    unsigned index;           // 何番目に始まったか
    uint32_t joined, shared;  // 最後の __syncthreads()、sharedStart
    WarpTimes warps[kMaxThreads / 32];
    Person common, persons[kMaxThreads];
    bool own[kMaxThreads];  // common と違うことを知っている人
    std::vector<unsigned> owners;
    uint32_t fenced[2][kMaxThreads];  // この区間で通ったフェンスのうち、まだ released に入れていないもの
    std::vector<unsigned> fencers;
    const void* meeting;  // waiting の人たちが待つ cuda::barrier
    std::vector<unsigned> waiting;
};
static std::deque<Block> kept(1);
static Block* my = &kept[0];
static uint32_t knownInWarp(unsigned me, unsigned other) {  // 同じワープの other の、いつより前を知っているか
    const WarpTimes& w = my->warps[me / 32];
    return std::max(w.full, w.partial ? w.met[me % 32][other % 32] : 0);
}
static std::unordered_map<const void*, Place> places;
static Place* find(const void* p) {
    const auto found = places.find(p);
    if (found == places.end()) return nullptr;
    const bool left = size_t((const char*)p - region) < kSharedBytes && found->second.block != current();
    if (left) places.erase(found);  // 前のブロックの共有メモリにあったもの
    return left ? nullptr : &found->second;
}

static Person& edit(unsigned lane) {
    if (!my->own[lane]) my->persons[lane] = my->common, my->own[lane] = true, my->owners.push_back(lane);
    return my->persons[lane];
}
static const Person& view(unsigned lane) { return my->own[lane] ? my->persons[lane] : my->common; }
static void forgetPersons() {
    for (unsigned lane : my->owners) my->persons[lane] = {}, my->own[lane] = false;
    for (unsigned lane : my->fencers) my->fenced[0][lane] = my->fenced[1][lane] = 0;
    my->owners.clear();
    my->fencers.clear();
}
static Known beforeFences(unsigned s, const unsigned* lanes, size_t count) {  // lanes のフェンスの前に済んだこと
    uint32_t times[kMaxThreads] = {};
    unsigned from = kMaxThreads, to = 0;
    for (size_t k = 0; k < count; k++) {
        const unsigned lane = lanes[k], warp = lane / 32 * 32;
        if (!my->fenced[s][lane]) continue;
        from = std::min(from, warp), to = std::max(to, warp + 32);
        for (unsigned other = warp; other < warp + 32; other++)
            times[other] = std::max(times[other], knownInWarp(lane, other));
        times[lane] = std::max(times[lane], my->fenced[s][lane]);
    }
    Known known;
    if (to) known.all = my->joined;
    for (unsigned lane = from; lane < to; lane++)
        if (times[lane] > my->joined) known.lanes.push_back({lane, times[lane]});
    return known;
}
static void foldFence(unsigned lane) {
    for (int s = 0; s < 2; s++) {
        if (!my->fenced[s][lane]) continue;
        Person& p = edit(lane);
        p.released[s] |= p.acquired;
        p.released[s] |= clockOf(current(), beforeFences(s, &lane, 1));
        my->fenced[s][lane] = 0;
    }
}
void toolFence(bool block) {
    if (!here.inKernel) return;
    handing = true;
    now++;
    const unsigned lane = here.lane;
    const Person& before = view(lane);
    if (before.seen[0] || before.seen[1]) {
        foldFence(lane);
        Person& p = edit(lane);
        p.acquired |= p.seen[int(Scope::block)];
        if (!block) p.acquired |= p.seen[int(Scope::device)];
        else if (const Known* k = find(p.seen[int(Scope::device)], current())) p.acquired |= clockOf(current(), *k);
    }
    if (!my->fenced[0][lane] && !my->fenced[1][lane]) my->fencers.push_back(lane);
    my->fenced[int(Scope::block)][lane] = now;
    if (!block) my->fenced[int(Scope::device)][lane] = now;
}
bool hasReleased() {
    if (!handing) return false;
    const Person& p = view(here.lane);
    return my->fenced[int(Scope::device)][here.lane] || p.released[int(Scope::device)];
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
    Place* const found = find(place);
    if (!found && !p.released[0] && !p.released[1]) return;
    Place& at = found ? *found : places[place];
    if (at.block != current()) at.clock[int(Scope::block)] = {}, at.block = current();
    const uint64_t value = valueAt(place, bytes);
    if (!found || value != at.before) {
        at.before = value;
        for (int s = 0; s < 2; s++) at.known[s] = at.clock[s];
    }
    for (int s = 0; replace && s < 2; s++) at.clock[s] = {};
    at.clock[int(Scope::block)] |= p.released[int(Scope::block)];
    if (scope != Scope::device) return;
    at.clock[int(Scope::device)] |= p.released[int(Scope::device)];
    at.met |= p.released[int(Scope::device)], at.met |= p.met;
    if (at.met) edit(here.lane).met |= at.met;
}
void observe(const void* place, unsigned bytes, Scope scope) {
    if (!handing) return;
    const Place* const found = find(place);
    if (!found) return;
    const Place& at = *found;
    const Clock* const told = bytes && valueAt(place, bytes) == at.before ? at.known : at.clock;
    Person& p = edit(here.lane);
    if (at.block == current()) p.seen[int(Scope::block)] |= told[int(Scope::block)];
    if (scope == Scope::device) p.seen[int(Scope::device)] |= told[int(Scope::device)];
}

bool ordered(uint32_t time, unsigned lane, bool strong) {
    if (time < horizon) return true;
    const unsigned me = here.lane;
    if (time >= blockStart || (starts.size() > blocks.size() && indexAt(time) == current())) {
        if (time < my->joined || lane == me) return true;
        if (lane / 32 == me / 32 && knownInWarp(me, lane) > time) return true;
    }
    if (!handing) return false;
    const unsigned block = indexAt(time);
    const Person& p = view(me);
    return covers(p.acquired, block, lane, time) ||
           (strong && (covers(p.seen[0], block, lane, time) || covers(p.seen[1], block, lane, time)));
}
bool heard(uint32_t time, unsigned lane) {
    const unsigned block = indexAt(time);
    for (unsigned me : my->owners)
        for (auto& c : {my->persons[me].acquired, my->persons[me].seen[0], my->persons[me].seen[1]})
            if (covers(c, block, lane, time)) return true;
    return covers(view(here.lane).met, block, lane, time) || ordered(time, lane, true);
}
bool metSince(uint32_t time, bool anyWarp) {
    const unsigned me = here.lane;
    if (handing && find(view(me).acquired, current())) return true;
    const WarpTimes& w = my->warps[me / 32];
    if (anyWarp) return false;
    uint32_t last = w.full;
    for (unsigned k = 0; k < 32 && w.partial; k++) last = std::max(last, w.met[me % 32][k]);
    return last > time;
}

// ---------------------------------------------------------------- 起動、ブロック、バリア
void beginOrder() {
    handing = false;
    launchStart = horizon = ++now;
    places.clear();
    blocks.clear();
    starts.clear();
}
void endOrder() { forgetPersons(); }
void toolGridArrive(bool all) {
    if (all) horizon = ++now;  // ここより前のことは、どのブロックのものでも、ここより後より先である
}
void toolGridLeave(uint64_t) {  // 協調起動で、ほかのブロックを動かした後
    my = &kept[self->number - 1];
    blockStart = interval = ++now;
    sharedStart = my->shared;
    starts.push_back({now, my->index});
}
void enterBlock(uint64_t b) {
    while (kept.size() < self->number) kept.emplace_back();
    kept[self->number - 1].index = unsigned(blocks.size());
    blocks.push_back(b);
    toolGridLeave(b);
    my->joined = my->shared = sharedStart = now;
    my->common = {};
    my->waiting.clear();
    forgetPersons();
    for (unsigned w = 0; w < self->warps; w++) {
        my->warps[w].full = 0;
        my->warps[w].partial = false;
        my->warps[w].live = firstLanes(self->threads - w * 32);
    }
}
void joinBlock() {
    if (handing) {
        std::sort(my->fencers.begin(), my->fencers.end());
        for (unsigned lane : my->owners) foldFence(lane), my->common.learn(my->persons[lane]);
        for (int k = 0; k < 2; k++) {
            Known known = beforeFences(k, my->fencers.data(), my->fencers.size());
            if (!known.all) continue;
            my->common.released[k] |= my->common.acquired;
            my->common.released[k] |= clockOf(current(), std::move(known));
        }
        forgetPersons();
    }
    interval = my->joined = ++now;
}
void joinWarp(unsigned warp, unsigned group) {
    now++;
    if (handing) {
        Person all;
        bool any = false;
        for (unsigned m = group; m; m &= m - 1) {
            const unsigned lane = warp * 32 + unsigned(__builtin_ctz(m));
            foldFence(lane);
            if (my->own[lane]) all.learn(my->persons[lane]), any = true;
        }
        for (unsigned m = any ? group : 0; m; m &= m - 1) edit(warp * 32 + unsigned(__builtin_ctz(m))) = all;
    }
    meet(my->warps[warp], group);
}

// ---------------------------------------------------------------- cuda::barrier
// 着いて待つ人の知らせは、ためておく。ブロックの全員がそろえば、__syncthreads() と同じである。違えば、1 人ずつ知らせる
static void tell(const void* place) {
    toolFence(false);
    publish(place, 0, Scope::device, false);
}
static void tellWaiting() {
    const unsigned me = here.lane;
    for (unsigned lane : my->waiting) here.lane = lane, tell(my->meeting);
    here.lane = me;
    my->waiting.clear();
}
void toolSignal(const void* place, bool waits) {
    if (!here.inKernel) return;
    if (my->meeting != place) tellWaiting();
    if (!waits) return tell(place);
    my->meeting = place;
    my->waiting.push_back(here.lane);
    if (my->waiting.size() == self->threads) my->waiting.clear(), joinBlock();
}
void toolAwait(const void* place) {
    if (!here.inKernel) return;
    if (my->meeting == place) tellWaiting();
    if (!find(place)) return;
    observe(place, 0, Scope::device);
    toolFence(false);
}
}  // namespace cpu
