// heap.cpp: new で確保したホストの配列の大きさ。コピーが終わりを越えないかを調べるために、正確に覚える。
// カーネルの間の new は、カーネルのものか検査のもので、ホストの配列ではない。
// malloc したものは、コンパイラが大きさを知っているときだけ分かる (cpu/memory.h の CPU_ROOM)。
#include <cstdlib>
#include <map>
#include <new>

#include "../../device/device.h"
#include "../tool.h"
#include "cpu/wait.h"

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

void* operator new(size_t bytes) {
    void* const p = malloc(bytes ? bytes : 1);
    if (!p) throw std::bad_alloc();
    if (!cpu::here.inKernel) change([&](Blocks& b) { b[(const char*)p] = bytes; });
    return p;
}
void operator delete(void* p) noexcept {
    change([&](Blocks& b) { b.erase((const char*)p); });
    free(p);
}
void operator delete(void* p, size_t) noexcept { operator delete(p); }

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
