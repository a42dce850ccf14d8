// heap.cpp: new で確保したホストの配列の大きさ。コピーが終わりを越えないかを調べるために、正確に覚える。
// malloc したものは、コンパイラが大きさを知っているときだけ分かる (cpu/memory.h の CPU_ROOM)。
// カーネルの中の new と malloc は、デバイスの配列にする: 外、未初期化、競合が、ほかの配列と同じに分かる。
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
static bool give(char* p, void* pc) {  // カーネルの new でなければ false
    if (!inHeap(p)) return false;
    const Array* const a = findArray(p);
    if (a && a->p == p) heapArrays--, forgetCells(p, a->bytes), removeArray(Array(*a));
    else if (first("2 度" + where(pc)))
        report("検査: delete (か free) したのは、new した所の先頭ではない: もう delete した所かもしれない\n  %s: %s\n",
               where(pc).c_str(), threadName().c_str());
    return true;
}
void reportHeap() {
    for (auto& a : arrays)
        if (inHeap(a.p) && !anyError() && first("返さない" + std::to_string(a.site.line)))
            report("検査: カーネルの中の new が、delete されていない (%zu バイト)\n  %s:%d\n", a.bytes, a.site.file,
                   a.site.line);
}
}  // namespace cpu

void* operator new(size_t bytes) {
    if (void* const taken = cpu::take(bytes)) return taken;
    void* const p = malloc(bytes ? bytes : 1);
    if (!p) throw std::bad_alloc();
    if (!cpu::here.inKernel) change([&](Blocks& b) { b[(const char*)p] = bytes; });
    return p;
}
static void drop(void* p) {
    change([&](Blocks& b) { b.erase((const char*)p); });
    free(p);
}
#define CPU_DELETE(...) \
    void operator delete __VA_ARGS__ noexcept { return cpu::give((char*)p, CPU_CALLER) ? void() : drop(p); }
CPU_DELETE((void* p))
CPU_DELETE((void* p, size_t))
CPU_DELETE([](void* p))
CPU_DELETE([](void* p, size_t))

namespace cpu {
size_t toolHostRoom(const void* p) {
    std::lock_guard<cpu::Mutex> lock(mutex);
    auto b = blocks().upper_bound((const char*)p);
    if (b == blocks().begin()) return ~size_t(0);
    --b;
    const size_t offset = size_t((const char*)p - b->first);
    return offset < b->second ? b->second - offset : ~size_t(0);
}
}  // namespace cpu
