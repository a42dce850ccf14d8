// host.cpp: ホストのコードが、まだ終わっていないかもしれない仕事のメモリに触れたか。
//
// CPU デバイスの仕事は、その場で終わる。GPU では、コピーもカーネルも、待つまで終わっていないかもしれない。
// だから、始めた仕事が触れるホストのメモリを覚えておき、待つか終わりを確かめるかしたら忘れる。
// 順序は、ストリームごとの番号で分かる: イベントや他のストリームを待てば、そこまでの仕事も終わっている。
#include <map>

#include "sanitize.h"

namespace cpu {
using Upto = std::map<cudaStream_t, uint64_t>;  // どのストリームの、何番までの仕事が終わっているか
struct Pending {
    const char* p;
    size_t bytes;
    bool written;  // 仕事が書く。そうでなければ、読むだけ
    cudaStream_t stream;
    uint64_t number, hash;  // hash: カーネルが書いたかは、前後の中身を比べて知る
    Site site;
    const char* work;
    size_t pitch = 1, width = 1;  // 行の始めと始めの間と、行の長さ
    bool meets(const char* q, size_t size) const {
        return q + size > p && q < p + bytes && (q < p || size_t(q - p) % pitch < width);
    }
};
static RecursiveMutex mutex;  // ホストの OS スレッドは、いくつあってもよい
using Lock = std::lock_guard<RecursiveMutex>;
static std::vector<Pending> pending;
static uint64_t number;  // 最後に始めた仕事の
struct Stream {
    Upto before;  // このストリームのこれからの仕事より、先に終わる仕事
    bool blocking;  // 既定のストリームと待ち合うか
};
static std::map<cudaStream_t, Stream> streams;
static std::map<cudaEvent_t, Upto> events;
static Upto waited;  // ホストが終わりを待った仕事
struct Work {
    uint32_t begin;
    uint64_t number;
    cudaStream_t stream;
    Site site;
    const char* name;
};
static std::vector<Work> works;
static int depth;  // グラフの仕事は、グラフの 1 つの仕事の中で動く
static thread_local const Upto* hostFunction;  // ホストの関数より先に終わる仕事
static thread_local int hostDepth;              // ホストの関数と、その中で頼んだ仕事

static void merge(Upto& to, const Upto& from) {
    for (auto& f : from) to[f.first] = std::max(to[f.first], f.second);
}
static bool covers(const Upto& u, cudaStream_t s, uint64_t number) {
    const auto f = u.find(s);
    return f != u.end() && number <= f->second;
}
// s のこれからの仕事より、先に終わる仕事。既定のストリームは、待ち合うストリームのどれとも順に動く
static Upto& reached(cudaStream_t& s) {
    if (s == cudaStreamLegacy) s = nullptr;
    if (!streams.count(s)) {
        unsigned flags = 0;
        streams[s].blocking = !s || (cudaStreamGetFlags(s, &flags) == cudaSuccess && !(flags & cudaStreamNonBlocking));
    }
    Upto& u = streams[s].before;
    merge(u, waited);
    for (auto& o : streams)
        if (o.first != s && (!s || !o.first) && o.second.blocking && streams[s].blocking) merge(u, o.second.before);
    return u;
}
static void wait(const Upto& u) {  // ホストが、u まで待った
    merge(waited, u);
    const auto done = [](const Pending& p) { return covers(waited, p.stream, p.number); };
    pending.erase(std::remove_if(pending.begin(), pending.end(), done), pending.end());
}
void toolCopied(const Rows& to, const Rows& from, size_t width, size_t height, Site site) {
    if (here.inKernel || !depth) return;
    const Lock lock(mutex);
    const Work& mine = works.back();
    for (const Rows& r : {to, from}) {
        const char* const p = (const char*)r.p;
        const size_t bytes = (height - 1) * r.pitch + width;
        if (!isDevice(memoryOf(p)))
            pending.push_back({p, bytes, p == to.p, mine.stream, mine.number, 0, site, "コピー", r.pitch, width});
    }
}
void toolArgument(const Launch& l, const void* p) {
    if (here.inKernel || capturing(l.stream) || !isEverywhere(memoryOf(p))) return;
    const Lock lock(mutex);
    const Array* a = findArray((char*)p);
    if (!a) return;
    const auto same = std::find_if(pending.begin(), pending.end(), [&](const Pending& w) {
        return w.p == a->p && w.stream == l.stream && w.site.line == l.site->line;
    });
    const uint64_t mine = number + (depth == 0);  // 引数は、仕事を始める前に調べる
    if (same != pending.end()) {  // 待たずに、同じカーネルをまた起動した
        same->number = mine;
        return;
    }
    const cudaStream_t s = l.stream == cudaStreamLegacy ? nullptr : l.stream;
    pending.push_back({a->p, a->bytes, false, s, mine, hashBytes(a->p, a->bytes), *l.site, "カーネル"});
}
void findWritten() {
    const Lock lock(mutex);
    for (auto& p : pending)
        if (p.hash && p.hash != hashBytes(p.p, p.bytes)) p.written = true, p.hash = 0;
}
bool toolWaited(cudaStream_t s, cudaEvent_t e, bool ask) {
    static Upto asked;  // 待っていない仕事は、初めに聞いたときには、まだ終わっていない
    const Lock lock(mutex);
    const Upto& u = e ? events[e] : reached(s);
    const bool busy = ask && std::any_of(u.begin(), u.end(), [](auto& w) {
                          return !covers(waited, w.first, w.second) && !covers(asked, w.first, w.second);
                      });
    if (busy) merge(asked, u);
    else wait(u);
    return !busy;
}
void toolWaitedAll() {
    const Lock lock(mutex);
    pending.clear();
    for (auto& s : streams) merge(waited, s.second.before);
}
void toolRecorded(cudaEvent_t e, cudaStream_t s) {
    const Lock lock(mutex);
    events[e] = reached(s);
}
void toolElapsed(cudaEvent_t e, Site s) {
    const Lock lock(mutex);
    for (auto& w : events[e])
        if (!covers(waited, w.first, w.second) && first("時間" + std::to_string(s.line)))
            report(
                "検査: イベントの終わりを待たずに、時間を聞いた: GPU では cudaErrorNotReady になり、時間は入らない\n"
                "  %s:%d\n  先に cudaEventSynchronize() で、後のイベントを待つ\n",
                s.file, s.line);
}
void toolStreamWaits(cudaStream_t s, cudaEvent_t e) {
    const Lock lock(mutex);
    merge(reached(s), events[e]);
}

// ---------------------------------------------------------------- ストリームの仕事どうし
void forgetWorks() { works.clear(), unsure = ~0u; }
void toolWorkBegin(cudaStream_t s, bool host) {
    const Lock lock(mutex);
    if (host || hostFunction) {
        if (hostDepth++ == 0) hostFunction = &reached(s);
        return;
    }
    if (depth++) return;
    Upto& u = reached(s);
    u[s] = ++number;
    if (works.size() == 256) works.erase(works.begin());
    works.push_back({workTime = ++now, number, s, {"", 0}, ""});
    unsure = ~0u;
    for (auto& w : works)
        if (!covers(u, w.stream, w.number)) unsure = std::min(unsure, w.begin);
}
void toolWorkEnd() {
    if (hostFunction) {
        if (--hostDepth == 0) hostFunction = nullptr;
        return;
    }
    if (--depth == 0) workTime = 1, unsure = ~0u;
}
void toolWorkSite(Site s, const char* name) {
    if (depth && !works.empty() && !works.back().site.line) works.back().site = s, works.back().name = name;
}
void againstWork(const char* p, uint32_t time, const char* before, const char* verb) {
    if (time < unsure || time >= workTime) return;
    const Work& mine = works.back();
    const auto w = std::find_if(works.rbegin(), works.rend(), [&](const Work& w) { return w.begin <= time; });
    if (w == works.rend() || covers(streams[mine.stream].before, w->stream, w->number)) return;
    if (!first("仕事" + std::to_string(w->site.line) + mine.site.file + std::to_string(mine.site.line))) return;
    const Array* a = findArray(p);
    report(
        "検査: データ競合: 別々のストリームの仕事が、順序なしに同じ所に触れる: グローバルメモリ %s\n"
        "  %s:%d: %s が%s\n  %s:%d: %s が%s\n"
        "  後の仕事は、前の仕事の終わりを待たない: cudaEventRecord と cudaStreamWaitEvent で待たせるか、1 つの"
        "ストリームに入れる\n",
        a ? elementName(*a, p).c_str() : "?", w->site.file, w->site.line, w->name,
        strcmp(w->name, "cudaMallocAsync") ? before : "確保した", mine.site.file, mine.site.line, mine.name, verb);
}

Site copyAt(uint32_t time) {
    for (auto& w : works)
        if (w.begin == time && !strcmp(w.name, "コピー")) return w.site;
    return {"", 0};
}
void hostAccess(char* p, unsigned size, Kind kind, void* pc) {
    // 標準ライブラリの中なら、それを呼んだ行を言う
    const auto where = [frame = (void**)__builtin_frame_address(0)](void* pc) { return whereCalled(pc, frame, 256); };
    if (size_t(p - region) >= kRegionBytes ? pastHeap(p, size)
                                           : !isEverywhere(memoryOf(p)) || !isEverywhere(memoryOf(p + size))) {
        if (isDevice(memoryOf(p))) failHostTouch(p, where(pc));
        first("ホスト" + where(pc));
        report("検査: ホストのコードが、配列の外を%s\n  %s\n", done(kind), where(pc).c_str());
        if (!describeAddress(p, false)) report("  new か malloc した配列の、終わりを越えている\n");
        toolExit();
    }
    const bool word = kind == Kind::read && (size == 4 || size == 8) && uintptr_t(p) % size == 0;
    if (word && uintptr_t(p) >= 65536 && *(uint32_t*)p == kUnfilled && *(uint32_t*)(p + size - 4) == kUnfilled &&
        !afterFailure() && first("空" + where(pc)))
        report(
            "検査: まだ値を入れていない所を、ホストが読んだ\n  %s\n"
            "  カーネルの結果なら、先に cudaMemcpy で写す。new や malloc した所の中身は、決まっていない\n",
            where(pc).c_str());
    if (!Variable::first && pending.empty() && !variablesBegin) return;
    const Lock lock(mutex);
    if (Variable::first) registerVariables();
    for (auto& w : pending) {
        if (!w.meets(p, size) || (!w.written && kind == Kind::read)) continue;
        if (hostFunction && covers(*hostFunction, w.stream, w.number)) continue;
        if (!first("待たない" + where(pc))) return;
        report("検査: %sの終わりを待たずに、ホストが%s\n  %s\n  %sは %s:%d で始めた。%s\n", w.work,
               kind == Kind::read ? "結果を読んだ"
               : w.written        ? "結果の場所に書いた"
                                  : "渡したメモリを書き換えた",
               where(pc).c_str(), w.work, w.site.file, w.site.line,
               "cudaStreamSynchronize() や cudaDeviceSynchronize() で待ってから触れる");
        return;
    }
    if (!isVariable(p) || isEverywhere(memoryOf(p))) return;
    if (!first("変数" + where(pc))) return;
    report(
        "検査: ホストのコードが、デバイスの変数 %s を%s\n  %s\n  GPU では別のメモリにある: cudaMemcpy%sSymbol で写す\n",
        findArray(p)->name.c_str(), done(kind), where(pc).c_str(), kind == Kind::read ? "From" : "To");
}
}  // namespace cpu
