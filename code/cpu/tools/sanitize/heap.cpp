// heap.cpp: new で確保したホストの配列の大きさ。コピーが終わりを越えないかを調べるために、正確に覚える。
// malloc したものは、コンパイラが大きさを知っているときだけ分かる (cpu/memory.h の CPU_ROOM)。
#include <cstdlib>
#include <map>
#include <new>

#include "../../device/device.h"
#include "../tool.h"

namespace {
template <class T> struct Raw {  // この一覧のためには、new を使わない
    typedef T value_type;
    Raw() = default;
    template <class U> Raw(const Raw<U>&) {}
    T* allocate(size_t n) { return (T*)malloc(n * sizeof(T)); }
    void deallocate(T* p, size_t) { free(p); }
    template <class U> bool operator==(const Raw<U>&) const { return true; }
    template <class U> bool operator!=(const Raw<U>&) const { return false; }
};
using Blocks = std::map<const char*, size_t, std::less<const char*>, Raw<std::pair<const char* const, size_t>>>;
cpu::Mutex mutex;
Blocks& blocks() {  // 静的変数を壊すときにも使われるので、壊さない
    static Blocks* const b = new (malloc(sizeof(Blocks))) Blocks;
    return *b;
}
}  // namespace

void* operator new(size_t bytes) {
    void* const p = malloc(bytes ? bytes : 1);
    if (!p) throw std::bad_alloc();
    std::lock_guard<cpu::Mutex> lock(mutex);
    blocks()[(const char*)p] = bytes;
    return p;
}
void operator delete(void* p) noexcept {
    {
        std::lock_guard<cpu::Mutex> lock(mutex);
        blocks().erase((const char*)p);
    }
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
