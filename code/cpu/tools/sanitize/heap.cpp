// heap.cpp: new や malloc で確保したホストの配列の大きさ。終わりを越えないかを調べるために、正確に覚える。
// カーネルの中の new と malloc は、デバイスの配列にする: 外、未初期化、競合が、ほかの配列と同じに分かる。
#include <bitset>
#include <cstdlib>
#include <map>
#include <new>

#include "../../device/device.h"
#include "sanitize.h"

namespace {
using Blocks = std::map<const char*, size_t>;
cpu::Mutex mutex;
thread_local bool listing;  // この一覧のための new と delete は、一覧に入れない
Blocks& blocks() {          // 静的変数を壊すときにも使われるので、壊さない
    static Blocks* const b = new Blocks;
    return *b;
}
template <class F> void change(F f) {
    if (listing) return;
    std::lock_guard<cpu::Mutex> lock(mutex);
    listing = true;
    f(blocks());
    listing = false;
}
}  // namespace

namespace cpu {
constexpr size_t kHeapBytes = 16 << 20, kMaxHeapArrays = 4096;  // 同じ所は、2 度使わない
static char* heap;
static size_t heapArrays;
static Site wanted;  // 次に取るのは、カーネルのこの行の new のためである
void toolHeap(Site s, Element e) {
    if (s.line) wanted = s;
    else if (here.inKernel && arrays.size() && inHeap(arrays.back().p)) arrays.back().element = e;
}
bool inHeap(const void* p) { return heap && size_t((char*)p - heap) < kHeapBytes; }
static void* take(size_t bytes) {  // カーネルの new のためでないか、もう場所がなければ nullptr
    const Site site = wanted;
    wanted = {};
    if (!here.inKernel || !site.line) return nullptr;
    if (!heap) heap = toolMap(kHeapBytes);
    const size_t begin = heapUsed, end = begin + (bytes + 31) / 16 * 16;
    if (end > kHeapBytes || heapArrays == kMaxHeapArrays) return nullptr;
    heapUsed = end, heapArrays++;
    addArray({heap + begin, bytes, {4, false}, std::to_string(site.line) + " 行目の new", false, site});
    return heap + begin;
}
static bool give(char* p, void* pc) {  // ホストの new なら false
    if (size_t(p - region) >= kRegionBytes && !inHeap(p)) return false;
    const Array* const a = findArray(p);
    if (a && a->p == p && inHeap(p)) heapArrays--, forgetCells(p, a->bytes), removeArray(Array(*a));
    else if (first("2 度" + where(pc)))
        report("検査: delete (か free) したのは、new した所の先頭ではない: %s\n  %s: %s\n",
               inHeap(p) ? "もう delete した所かもしれない" : "cudaMalloc した所は、ホストの cudaFree() で返す",
               where(pc).c_str(), here.inKernel ? threadName().c_str() : "ホスト");
    return true;
}
void reportHeap() {
    for (auto& a : arrays)
        if (inHeap(a.p) && !anyError() && first("返さない" + std::to_string(a.site.line)))
            report("検査: カーネルの中の new が、delete されていない (%zu バイト)\n  %s:%d\n", a.bytes, a.site.file,
                   a.site.line);
}
}  // namespace cpu

// 終わりの後に、誰も触れない所を置く。終わりが近いかは、16 バイトごとの印で、すぐに分かる
constexpr size_t kZone = 16;
static std::bitset<1 << 20> ends;
static size_t mark(const char* p) { return uintptr_t(p) / 16 % ends.size(); }
extern "C" {
void* __tsan_realloc(void* old, size_t bytes) {
    size_t filled = 0;  // 値の入っている所の終わり
    if (old) change([&](Blocks& b) { filled = b.count((char*)old) ? (b[(char*)old] + 3) / 4 * 4 : bytes; });
    char* const p = (char*)realloc(old, bytes + kZone);
    if (p && filled < bytes) cpu::unfill(p + filled, bytes - filled);
    if (p && !cpu::here.inKernel)
        change([&](Blocks& b) {
            b.erase((const char*)old);
            b[p] = bytes;
            ends[mark(p + bytes)] = ends[mark(p + bytes + kZone - 1)] = true;
        });
    return p;
}
void* __tsan_malloc(size_t bytes) { return __tsan_realloc(nullptr, bytes); }
void* __tsan_calloc(size_t n, size_t bytes) {
    void* const p = bytes && n > ~size_t(0) / 2 / bytes ? nullptr : __tsan_malloc(n * bytes);
    return p ? memset(p, 0, n * bytes) : nullptr;
}
void __tsan_free(void* p) {
    change([&](Blocks& b) { b.erase((const char*)p); });
    free(p);
}
}
void* operator new(size_t bytes) {
    if (void* const taken = cpu::take(bytes)) return taken;
    if (void* const p = __tsan_malloc(bytes)) return p;
    throw std::bad_alloc();
}
#define CPU_DELETE(...) \
    void operator delete __VA_ARGS__ noexcept { return cpu::give((char*)p, CPU_CALLER) ? void() : __tsan_free(p); }
CPU_DELETE((void* p))
CPU_DELETE((void* p, size_t))
CPU_DELETE([](void* p))
CPU_DELETE([](void* p, size_t))

namespace cpu {
static size_t room(const void* p, size_t zone) {
    std::lock_guard<cpu::Mutex> lock(mutex);
    auto b = blocks().upper_bound((const char*)p);
    if (b == blocks().begin()) return ~size_t(0);
    --b;
    const size_t offset = size_t((const char*)p - b->first);
    return offset < b->second ? b->second - offset : offset < b->second + zone ? 0 : ~size_t(0);
}
size_t toolHostRoom(const void* p) { return room(p, 0); }
bool pastHeap(const char* p, size_t bytes) {
    return (bytes > kZone || ends[mark(p)] || ends[mark(p + bytes - 1)]) && bytes > room(p, kZone);
}
}  // namespace cpu
