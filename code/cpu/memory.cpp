// memory.cpp: デバイスのメモリ。
// 配列の終わりを、触れると必ず止まるページの直前に置く。だから配列の外への読み書きはその場で分かる。
// カーネルが動いていない間は、デバイスのメモリ全体を触れられなくする。
// だからホストがデバイスのポインタを使うとすぐ分かる。
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "os.h"
#include "tools/tool.h"

namespace cpu {
struct Allocation {
    char* p;
    size_t bytes;
    Memory kind;
    std::string name;
    Element element;
    Site site;
    char* map;
    size_t mapped, page;
};
struct Symbol {
    const char* p;
    size_t bytes;
};
static std::vector<Symbol> symbols;
static int open_ = 0;

// 終わったときに残っている確保を報告する。途中で失敗したプログラムでは、残るのが普通なので黙る
static struct Allocations : std::vector<Allocation> {
    ~Allocations() {
        if (!anyError())
            for (auto& b : *this)
                report(
                    "CPU デバイス: %s が解放されていない (%zu バイト)\n"
                    "  %s:%d で確保した。使い終えたら cudaFree で返す\n",
                    b.name.c_str(), b.bytes, b.site.file, b.site.line);
    }
} allocations;

static std::string variable(const char* s) {  // "(void**)&x_dev[0]" → "x_dev[0]"
    std::string v = s;
    const size_t cast = v.find("**)");
    if (cast != std::string::npos) v = v.substr(cast + 3);
    v.erase(0, v.find_first_not_of("&( "));
    return v;
}
static void protect(const Allocation& b, bool open) {
    if (b.kind == Memory::device) protectPages(b.map, b.mapped - b.page, open);
}
void openMemory() {
    if (open_++ == 0)
        for (auto& b : allocations) protect(b, true);
}
void closeMemory() {
    if (--open_ == 0)
        for (auto& b : allocations) protect(b, false);
}

static Allocation* find(const void* p) {  // p を含む (か、ちょうど終わりを指す) 配列
    for (auto& b : allocations)
        if ((const char*)p >= b.p && (const char*)p <= b.p + b.bytes) return &b;
    return nullptr;
}
cudaError_t allocate(void** p, size_t bytes, Memory kind, const char* name, Element element, Site site) {
    if (stickyError()) return remember(stickyError());
    if (!p) return remember(cudaErrorInvalidValue);
    *p = nullptr;
    if (!bytes) return cudaSuccess;  // CUDA と同じく、0 バイトは成功してヌルを返す
    installFaultHandler();
    const size_t page = kPageBytes, unit = bytes >= 2 * kHugePageBytes ? kHugePageBytes : page;
    const size_t body = (bytes + unit - 1) / unit * unit, slack = unit - page;
    if (bytes > availableMemory() || body < bytes) return remember(cudaErrorMemoryAllocation);
    char* m = toolMap(body + slack + page);
    if (!m) return remember(cudaErrorMemoryAllocation);
    if (slack) {  // 大きな配列は 2 MiB のページに置く。保護の切り替えが速くなる
        char* aligned = (char*)(((uintptr_t)m + slack) & ~(uintptr_t)(unit - 1));
        if (aligned > m) toolUnmap(m, aligned - m);
        if (m + slack > aligned) toolUnmap(aligned + body + page, m + slack - aligned);
        m = aligned;
        preferHugePages(m, body);
    }
    protectPages(m + body, page, false);
    // 終わりを、触れられないページに付ける。検査は配列の終わりを正確に知っているので、GPU と同じく 256 バイトに揃える
    const size_t unitAlign = toolAttached() ? 256 : 16;
    Allocation b{m + body - (bytes + unitAlign - 1) / unitAlign * unitAlign,
                 bytes,
                 kind,
                 variable(name),
                 element,
                 site,
                 m,
                 body + page,
                 page};
    // cudaMalloc の中身は決まっていない。0 だと思い込んだ誤りが見えるように、NaN (整数なら -1) になる値で埋める
    memset(b.p, 0xff, std::min<size_t>(bytes, 1 << 20));
    memset(b.p + bytes, 0xff, size_t(m + body - b.p) - bytes);
    if (open_ == 0) protect(b, false);
    allocations.push_back(b);
    toolAllocate({b.p, b.bytes, b.element, b.name, false, b.site});
    *p = b.p;
    return cudaSuccess;
}
cudaError_t release(void* p, Memory kind, Site site) {
    if (stickyError()) return remember(stickyError());
    if (!p) return cudaSuccess;
    for (size_t i = 0; i < allocations.size(); i++) {
        Allocation& b = allocations[i];
        if (b.p != p || (kind == Memory::host) != (b.kind == Memory::host)) continue;
        toolRelease({b.p, b.bytes, b.element, b.name, false, b.site});
        toolUnmap(b.map, b.mapped);
        allocations.erase(allocations.begin() + i);
        return cudaSuccess;
    }
    report(
        "CPU デバイス: cudaFree に渡したのは、確保中の領域の先頭ではない: ホストのアドレスか、"
        "すでに解放した領域である\n  %s:%d\n",
        site.file, site.line);
    return remember(cudaErrorInvalidValue);
}
static bool isDevice(const void* p) {
    const Allocation* b = find(p);
    return b && b->kind != Memory::host;
}
static bool inside(const char* what, const void* p, size_t n, bool device, Site site) {
    const Allocation* b = find(p);
    if (b && b->kind == Memory::device && (const char*)p + n > b->p + b->bytes) {
        report("CPU デバイス: %sが %s (%zu バイト) の終わりを %zu バイト越える\n  %s:%d\n", what, b->name.c_str(),
               b->bytes, size_t((const char*)p + n - (b->p + b->bytes)), site.file, site.line);
        return false;
    }
    if (device == isDevice(p) || (b && b->kind == Memory::managed)) return true;
    for (auto& s : symbols)
        if (device && (const char*)p >= s.p && (const char*)p + n <= s.p + s.bytes) return true;
    report(device ? "CPU デバイス: %sはデバイスのメモリではない: ホストのポインタを渡している\n  %s:%d\n"
                  : "CPU デバイス: %sはホストのメモリではない: デバイスのポインタを渡している\n  %s:%d\n",
           what, site.file, site.line);
    return false;
}
cudaError_t copy(void* to, const void* from, size_t n, cudaMemcpyKind k, cudaStream_t stream, Site site) {
    if (stickyError()) return remember(stickyError());
    const bool guess = k == cudaMemcpyDefault;
    const bool toDevice = guess ? isDevice(to) : k == cudaMemcpyHostToDevice || k == cudaMemcpyDeviceToDevice;
    const bool fromDevice = guess ? isDevice(from) : k == cudaMemcpyDeviceToHost || k == cudaMemcpyDeviceToDevice;
    if (n && (!inside("コピー先", to, n, toDevice, site) || !inside("コピー元", from, n, fromDevice, site)))
        return remember(cudaErrorInvalidValue);
    auto operation = [=] {
        openMemory();
        memmove(to, from, n);
        closeMemory();
        if (fromDevice) toolHostRead(from, n, site);
        toolHostWrite(to, n);
    };
    if (n) enqueue(stream, operation);
    return cudaSuccess;
}
cudaError_t fill(void* p, int value, size_t n, cudaStream_t stream, Site site) {
    if (stickyError()) return remember(stickyError());
    if (n && !inside("cudaMemset の書き先", p, n, true, site)) return remember(cudaErrorInvalidValue);
    auto operation = [=] {
        openMemory();
        memset(p, value, n);
        closeMemory();
        toolHostWrite(p, n);
    };
    if (n) enqueue(stream, operation);
    return cudaSuccess;
}
cudaError_t symbol(const void* p, size_t bytes) {
    symbols.push_back({(const char*)p, bytes});
    return cudaSuccess;
}
void checkPointer(const Launch& l, int argument, const void* p) {
    if (!p || find(p)) return;
    for (auto& s : symbols)
        if ((const char*)p >= s.p && (const char*)p <= s.p + s.bytes) return;
    report(
        "CPU デバイス: カーネル %s の %d 番目の引数は、デバイスのメモリを指していない: ホストのポインタか、"
        "解放した領域である\n  %s:%d で起動。GPU では、カーネルが触れたときに壊れる\n",
        l.name, argument, l.site->file, l.site->line);
    setSticky(cudaErrorIllegalAddress);
}

size_t allocatedBytes() {
    size_t sum = 0;
    for (auto& b : allocations) sum += b.bytes;
    return sum;
}

static Allocation* mapped(const void* p) {  // 終わりの後の、触れられないページも含む
    for (auto& b : allocations)
        if ((const char*)p >= b.map && (const char*)p < b.map + b.mapped) return &b;
    return nullptr;
}
bool inDeviceMemory(const void* p) { return mapped(p); }
bool describeAddress(const void* a, bool inKernel) {
    const Allocation* b = mapped(a);
    if (!b) return false;
    const char *p = (const char*)a, *name = b->name.c_str();
    if (!inKernel)
        report("  %s (%s:%d で確保したデバイスのメモリ) の中: cudaMemcpy でホストに写してから読む\n", name,
               b->site.file, b->site.line);
    else if (p >= b->p + b->bytes)
        report("  %s (%zu バイト, %s:%d で確保) の先頭から %zu バイト目: 配列の終わりを越えている\n", name, b->bytes,
               b->site.file, b->site.line, size_t(p - b->p));
    else
        report("  %s (%zu バイト, %s:%d で確保) の先頭から %zu バイト前\n", name, b->bytes, b->site.file, b->site.line,
               size_t(b->p - p));
    return true;
}
}  // namespace cpu
