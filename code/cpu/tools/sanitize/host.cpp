// host.cpp: ホストのコードが、まだ終わっていないかもしれない仕事のメモリに触れたか。
//
// CPU デバイスの仕事は、その場で終わる。GPU では、コピーもカーネルも、待つまで終わっていないかもしれない。
// だから、始めた仕事が触れるホストのメモリを覚えておき、待つか終わりを確かめるかしたら忘れる。
// 順序は、ストリームごとの番号で分かる: イベントや他のストリームを待てば、そこまでの仕事も終わっている。
#include <algorithm>
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
};
static RecursiveMutex mutex;  // ホストの OS スレッドは、いくつあってもよい
using Lock = std::lock_guard<RecursiveMutex>;
static std::vector<Pending> pending;
static uint64_t number;
static std::map<cudaStream_t, uint64_t> newest;
static std::map<cudaStream_t, Upto> before;  // このストリームのこれからの仕事より、先に終わる仕事
static std::map<cudaEvent_t, Upto> events;

static bool hostMayTouch(const void* p) {
    Memory kind;
    return memoryKind(p, kind) ? kind == Memory::host || kind == Memory::managed : !isSymbol(p);
}
static bool blocking(cudaStream_t s) {  // 既定のストリームと待ち合うか
    unsigned flags = 0;
    return !s || (cudaStreamGetFlags(s, &flags) == cudaSuccess && !(flags & cudaStreamNonBlocking));
}
static Upto reached(cudaStream_t s) {
    Upto u = before[s];
    u[s] = number;
    if (s && blocking(s)) u[nullptr] = std::max(u[nullptr], newest[s]);
    for (auto& p : pending)
        if (!s && blocking(p.stream)) u[p.stream] = number;
    return u;
}
static void merge(Upto& to, const Upto& from) {
    for (auto& f : from) to[f.first] = std::max(to[f.first], f.second);
}
static void forget(const Upto& u) {
    pending.erase(std::remove_if(pending.begin(), pending.end(),
                                 [&](const Pending& p) {
                                     const auto f = u.find(p.stream);
                                     return f != u.end() && p.number <= f->second;
                                 }),
                  pending.end());
}
static void start(const void* p, size_t bytes, bool written, cudaStream_t s, Site site, const char* work) {
    pending.push_back({(const char*)p, bytes, written, s, ++number, 0, site, work});
    newest[s] = number;
}
void toolCopyStarted(const void* to, const void* from, size_t bytes, cudaStream_t s, Site site) {
    if (here.inKernel || capturing(s)) return;
    const Lock lock(mutex);
    if (hostMayTouch(to)) start(to, bytes, true, s, site, "コピー");
    if (hostMayTouch(from)) start(from, bytes, false, s, site, "コピー");
}
void toolArgument(const Launch& l, const void* p) {
    Memory kind;
    if (here.inKernel || capturing(l.stream) || !memoryKind(p, kind) || !hostMayTouch(p)) return;
    const Lock lock(mutex);
    const Array* a = findArray((char*)p);
    if (!a) return;
    const auto same = std::find_if(pending.begin(), pending.end(), [&](const Pending& w) {
        return w.p == a->p && w.stream == l.stream && w.site.line == l.site->line;
    });
    if (same != pending.end()) {  // 待たずに、同じカーネルをまた起動した
        newest[l.stream] = same->number = ++number;
        return;
    }
    start(a->p, a->bytes, false, l.stream, *l.site, "カーネル");
    pending.back().hash = hashBytes(a->p, a->bytes);
}
void findWritten() {
    const Lock lock(mutex);
    for (auto& p : pending)
        if (p.hash && p.hash != hashBytes(p.p, p.bytes)) p.written = true, p.hash = 0;
}
void toolWaited(cudaStream_t s) {
    const Lock lock(mutex);
    forget(reached(s));
}
void toolWaitedAll() {
    const Lock lock(mutex);
    pending.clear();
}
void toolRecorded(cudaEvent_t e, cudaStream_t s) {
    const Lock lock(mutex);
    events[e] = reached(s);
}
void toolWaitedEvent(cudaEvent_t e) {
    const Lock lock(mutex);
    forget(events[e]);
}
void toolStreamWaits(cudaStream_t s, cudaEvent_t e) {
    const Lock lock(mutex);
    merge(before[s], events[e]);
}

static bool onDevice(const char* p) {
    Memory kind;
    return size_t(p - region) < kRegionBytes && memoryKind(p, kind) && kind != Memory::host && kind != Memory::managed;
}
void hostAccess(char* p, unsigned size, Kind kind, void* pc) {
    if (onDevice(p)) failHostTouch(p, pc);
    if (!Variable::first && pending.empty() && !variablesBegin) return;
    const Lock lock(mutex);
    if (Variable::first) registerVariables();
    for (auto& w : pending) {
        if (p + size <= w.p || p >= w.p + w.bytes || (!w.written && kind == Kind::read)) continue;
        if (!first("待たない" + where(pc))) return;
        report("検査: %sの終わりを待たずに、ホストが%s\n  %s\n  %sは %s:%d で始めた。%s\n", w.work,
               kind == Kind::read ? "結果を読んだ"
               : w.written        ? "結果の場所に書いた"
                                  : "渡したメモリを書き換えた",
               where(pc).c_str(), w.work, w.site.file, w.site.line,
               "cudaStreamSynchronize() や cudaDeviceSynchronize() で待ってから触れる");
        return;
    }
    if (!isVariable(p) || isManagedVariable(p) || isRegistered(p)) return;
    if (!first("変数" + where(pc))) return;
    report(
        "検査: ホストのコードが、デバイスの変数 %s を%s\n  %s\n  GPU では別のメモリにある: cudaMemcpy%sSymbol で写す\n",
        findArray(p)->name.c_str(), kind == Kind::read ? "読んだ" : "書いた", where(pc).c_str(),
        kind == Kind::read ? "From" : "To");
}
}  // namespace cpu
