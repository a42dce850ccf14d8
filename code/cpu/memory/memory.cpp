// memory.cpp: デバイスのメモリと、デバイスから触れるホストのメモリ。
// 配列の終わりを、触れると必ず止まるページの直前に置く。だから終わりより後ろへの読み書きはその場で分かる。
// カーネルが動いていない間は、デバイスのメモリ全体を触れられなくする。
// だからホストがデバイスのポインタを使うとすぐ分かる。
#include <vector>

#include "../tools/tool.h"
#include "cpu/managed.h"

namespace cpu {
// ホストの OS スレッドは、1 つずつ順に働く。カーネルの中から呼ばれるもの (デバイス側の cudaMalloc など) には、別の鍵
static RecursiveMutex hostMutex, kernelMutex;
Exclusive::Exclusive() { (here.inKernel ? kernelMutex : hostMutex).lock(); }
Exclusive::~Exclusive() { (here.inKernel ? kernelMutex : hostMutex).unlock(); }

struct Allocation : Array {
    Memory kind;
    char *map = nullptr, *end = nullptr;  // 置いたページ。cudaMalloc などで確保したのでなければ、ない
    size_t mapped = 0;  // 触れられないページまで
};
static int open_ = 0;

// 終わったときに残っている確保を報告する。途中で失敗したプログラムでは、残るのが普通なので黙る
static struct Allocations : std::vector<Allocation> {
    ~Allocations() { reportLeaks(); }
} allocations;
void reportLeaks() {
    static bool done = false;
    const auto told = [](const Allocation& b) {  // 同じ行のものは、1 度だけ言う
        const Allocation* a = allocations.data();
        while (!a->map || a->site.line != b.site.line || strcmp(a->site.file, b.site.file)) a++;
        return a != &b;
    };
    if (!done && !anyError())
        for (auto& b : allocations)
            if (b.map && !told(b))
                report(
                    "CPU デバイス: %s が解放されていない (%zu バイト)\n"
                    "  %s:%d で確保した。使い終えたら cudaFree で返す\n",
                    b.name.c_str(), b.bytes, b.site.file, b.site.line);
    done = true;
}

static std::string variable(const char* s) {  // "(void**)&x_dev[0]" → "x_dev[0]"
    std::string v = s;
    const size_t cast = v.find("**)");
    if (cast != std::string::npos) v = v.substr(cast + 3);
    v.erase(0, v.find_first_not_of("&( "));
    return v;
}
static void rename(Allocation& b, const std::string& name) {
    b.name = name;
    toolName(b);
}
static std::string line(Site site) { return std::to_string(site.line) + " 行目の配列"; }
static thread_local void* fresh = nullptr;  // 最後に確保したもの。どの行のためかを、まだ聞いていない
static void protect(const Allocation& b, bool open) {
    if (b.kind == Memory::device) protectPages(b.map, size_t(b.end - b.map), open);
}
void openMemory() {
    if (open_++ == 0)
        for (auto& b : allocations) protect(b, true);
}
void closeMemory() {
    if (--open_ == 0)
        for (auto& b : allocations) protect(b, false);
}

static Allocation* find(const void* p) {  // p を含む (確保したものなら、ちょうど終わりを指してもよい) 配列
    for (auto& b : allocations)
        if (size_t((const char*)p - b.p) < b.bytes + (b.map != nullptr)) return &b;
    return nullptr;
}
static std::vector<Array> freed;  // site は、解放した所
static const Array* findFreed(const void* p) {
    for (auto f = freed.rbegin(); f != freed.rend(); ++f)
        if (size_t((const char*)p - f->p) < f->bytes) return &*f;
    return nullptr;
}
bool describeFreed(const void* p) {
    const Array* const f = findFreed(p);
    if (f) report("  すでに解放した領域 %s である: %s:%d で解放した\n", f->name.c_str(), f->site.file, f->site.line);
    return f;
}
// すでに解放した領域なら、何に渡したかを報告する
static bool complainFreed(const std::string& what, const void* p, Site site) {
    const Array* const f = findFreed(p);
    if (f)
        report("CPU デバイス: %sは、すでに解放した領域 %s である\n  %s:%d\n  %s:%d で解放した\n", what.c_str(),
               f->name.c_str(), site.file, site.line, f->site.file, f->site.line);
    return f;
}
static Site failedSite;  // 最後に失敗した確保
void describeFailure() {
    if (failedSite.line) report("  %s:%d の確保は、失敗している: 戻り値を確かめる\n", failedSite.file, failedSite.line);
}
cudaError_t allocate(void** p, size_t bytes, Memory kind, const char* name, Element element, Site site) {
    const Exclusive lock;
    if (stickyError()) return remember(stickyError());
    if (!p) return remember(cudaErrorInvalidValue);
    *p = nullptr;
    if (!bytes) return cudaSuccess;  // CUDA と同じく、0 バイトは成功してヌルを返す
    deviceUsed = true;
    // 大きな配列は 2 MiB のページに置く。保護の切り替えが速くなる
    const size_t unit = bytes >= 2 * kHugePageBytes ? kHugePageBytes : kPageBytes;
    const size_t body = (bytes + unit - 1) / unit * unit, all = body + unit;
    char* const map = bytes > availableMemory() || all < bytes ? nullptr : toolMap(all);
    if (!map) return failedSite = site, remember(cudaErrorMemoryAllocation);
    char* const end = (char*)(uintptr_t(map + all - kPageBytes) / unit * unit);
    protectPages(end, size_t(map + all - end), false);
    if (unit > kPageBytes) preferHugePages(end - body, body);
    // 終わりを、触れられないページに付ける。検査は配列の終わりを正確に知っているので、GPU と同じく 256 バイトに揃える
    const size_t unitAlign = toolAttached() ? 256 : 16;
    char* const begin = end - (bytes + unitAlign - 1) / unitAlign * unitAlign;
    Allocation b{{begin, bytes, element, variable(name), false, site}, kind, map, end, all};
    // cudaMalloc の中身は決まっていない。0 だと思い込んだ誤りが見えるように、NaN (整数なら -1) になる値で埋める
    memset(b.p, 0xff, std::min<size_t>(bytes, 1 << 20));
    memset(b.p + bytes, 0xff, size_t(end - b.p) - bytes);
    if (open_ == 0) protect(b, false);
    allocations.push_back(b);
    toolAllocate(b);
    if (kind == Memory::host || kind == Memory::managed) toolHostWrite(b.p, b.bytes);  // いつでもホストが書ける
    *p = fresh = b.p;
    return cudaSuccess;
}
void rowsOf(void* p, size_t pitch, size_t width) {
    Allocation* const b = p ? find(p) : nullptr;
    if (b) b->pitch = pitch, b->width = width, toolName(*b);
}
void calledFrom(Site site) {
    if (!fresh) return;
    const Exclusive lock;
    Allocation* b = find(fresh);
    fresh = nullptr;
    if (!b || (b->site.line == site.line && !strcmp(b->site.file, site.file))) return;
    b->site = site;
    rename(*b, line(site));  // 変数の名前は、起動の引数で分かる
}
cudaError_t release(void* p, Memory kind, Site site) {
    const Exclusive lock;
    if (stickyError()) return remember(stickyError());
    if (!p) return cudaSuccess;
    Allocation* const b = find(p);
    if (b && b->p == p && b->map && (kind == Memory::host) == (b->kind == Memory::host)) {
        toolWaited(nullptr, nullptr, false);  // 返すときには、使っている仕事の終わりを待つ
        freed.push_back(*b);
        freed.back().site = site;
        if (freed.size() > 1000) freed.erase(freed.begin());
        toolRelease(*b);
        toolUnmap(b->map, b->mapped);
        allocations.erase(allocations.begin() + (b - allocations.data()));
        return cudaSuccess;
    }
    const std::string name = kind == Memory::host ? "cudaFreeHost" : "cudaFree";
    if (complainFreed(name + " に渡したの", p, site)) return remember(cudaErrorInvalidValue);
    const char* const reason =
        b && b->p == p && b->kind != Memory::registered
            ? "確保した関数が違う: cudaMallocHost したものは cudaFreeHost で、ほかは cudaFree で返す"
        : b ? "確保した領域の途中である: cudaMalloc が返したアドレスを渡す"
            : "確保中の領域ではない: ホストのアドレスか、すでに解放した領域である";
    report("CPU デバイス: %s に渡したのは、%s\n  %s:%d\n", name.c_str(), reason, site.file, site.line);
    return remember(cudaErrorInvalidValue);
}
cudaError_t outsideCapture(const char* name, cudaStream_t s, Site site) {
    if (!capturing(s)) return cudaSuccess;
    report("CPU デバイス: グラフに記録中のストリームに、%s は使えない: 記録の前か、後に置く\n  %s:%d\n", name,
           site.file, site.line);
    return remember(cudaErrorStreamCaptureUnsupported);
}
void reserveInStream(void* p, size_t bytes, cudaStream_t s, Site site) {  // 検査は、全部を読む仕事として見る
    if (p && toolAttached()) enqueue(s, [=] { toolWorkSite(site, "cudaMallocAsync"), toolReserved(p, bytes); });
}
cudaError_t releaseInStream(void* p, cudaStream_t s, Site site) {
    if (const cudaError_t e = outsideCapture("cudaFreeAsync", s, site)) return e;
    const Allocation* const b = find(p);
    const size_t bytes = b && b->p == p ? b->bytes : 0;
    // 検査は、全部に書く仕事として見る: 使っている仕事の後でなければならない
    if (bytes && toolAttached()) enqueue(s, [=] { toolWorkSite(site, "cudaFreeAsync"), toolHostWrite(p, bytes); });
    return release(p, Memory::device, site);
}
// __managed__ の変数は、リンカが 1 か所に集める。1 つもなければ、始めも終わりもない
#ifdef __APPLE__
extern "C" char managedStart[] asm("section$start$__DATA$cpu_managed"),
    managedEnd[] asm("section$end$__DATA$cpu_managed");
#else
extern "C" __attribute__((weak)) char __start_cpu_managed[], __stop_cpu_managed[];
static char *const managedStart = __start_cpu_managed, *const managedEnd = __stop_cpu_managed;
#endif
Memory memoryOf(const void* p) {
    if ((const char*)p >= managedStart && (const char*)p < managedEnd) return Memory::managedVariable;
    const Allocation* b = find(p);
    return b ? b->kind : Memory::none;
}
static bool fitsIn(const char* what, size_t room, size_t bytes, Site site) {
    if (bytes <= room) return true;
    report("CPU デバイス: %sのホストの配列は %zu バイトしかない: %td バイトを写すと、終わりを越える\n  %s:%d\n", what,
           room, ptrdiff_t(bytes), site.file, site.line);
    return false;
}
bool inside(const char* what, const void* p, size_t n, bool device, Site site) {
    const Allocation* b = find(p);
    if (b && (const char*)p + n > b->p + b->bytes) {
        report("CPU デバイス: %sが %s (%zu バイト) の終わりを %zu バイト越える\n  %s:%d\n", what, b->name.c_str(),
               b->bytes, size_t((const char*)p + n - (b->p + b->bytes)), site.file, site.line);
        return false;
    }
    const Memory kind = memoryOf(p);
    if (!p && n) {
        report("CPU デバイス: %sがヌルポインタである: 確保していないか、確保に失敗したか、空の並びである\n  %s:%d\n",
               what, site.file, site.line);
        describeFailure();
        return false;
    }
    const bool right = isEverywhere(kind) || device == isDevice(kind);
    if ((!right || (!device && !isMapped(p))) && complainFreed(what, p, site)) return false;
    if (right) return device || fitsIn(what, toolHostRoom(p), n, site);
    report(device && inVariables(p)
               ? "CPU デバイス: %sは変数である: __device__ の変数なら cudaMemcpyToSymbol (読むなら FromSymbol) を使う\n"
                 "  %s:%d\n"
           : device
               ? "CPU デバイス: %sはデバイスのメモリではない: ホストか、未確保か、カーネルの new の所である\n  %s:%d\n"
               : "CPU デバイス: %sはホストのメモリではない: デバイスのポインタを渡している\n  %s:%d\n",
           what, site.file, site.line);
    return false;
}
cudaError_t copyLinear(Room room, void* to, const void* from, size_t n, cudaMemcpyKind k, bool wait,
                       cudaStream_t stream, Site site) {
    if (!fitsIn("コピー先", room.to, n, site) || !fitsIn("コピー元", room.from, n, site))
        return remember(cudaErrorInvalidValue);
    return waitIf(wait, copy(to, from, n, k, stream, site));
}
cudaError_t waitIf(bool wait, cudaError_t e) {
    if (wait) toolWaited(nullptr, nullptr, false);
    return e;
}
cudaError_t symbol(const void* p, size_t bytes, size_t end, Site site) {
    const Exclusive lock;
    if (memoryOf(p) == Memory::none && !inImage(p)) {
        report(
            "CPU デバイス: コピーの相手が、__device__ の変数そのものではない: 名前に & や \" \" を付けない\n  %s:%d\n",
            site.file, site.line);
        return remember(cudaErrorInvalidSymbol);
    }
    if (end > bytes) {
        report("CPU デバイス: コピーが、デバイスの変数 (%zu バイト) の終わりを %zu バイト越える\n  %s:%d\n", bytes,
               end - bytes, site.file, site.line);
        return remember(cudaErrorInvalidValue);
    }
    if (memoryOf(p) == Memory::none)
        allocations.push_back({{(char*)p, bytes, {}, "変数", false, {}}, Memory::variable});
    return cudaSuccess;
}
void checkPointer(const Launch& l, int argument, const void* p) {
    const Exclusive lock;
    toolArgument(l, p);
    Allocation* b = find(p);
    if (b && b->name == line(b->site)) {
        const std::string text = argumentText({l.arguments, argument - 1});  // "x_dev + 1" なら x_dev
        const std::string first = text.substr(0, text.find_first_of(" +-(."));
        if (!first.empty()) rename(*b, first);
    }
    if (!p || memoryOf(p) != Memory::none) return;
    setSticky(cudaErrorIllegalAddress);
    if (complainFreed(std::string("カーネル ") + l.name + " の " + std::to_string(argument) + " 番目の引数", p,
                      *l.site))
        return;
    report(
        "CPU デバイス: カーネル %s の %d 番目の引数は、デバイスのメモリを指していない: %s未確保か、ホストのポインタか、"
        "解放した領域である\n  %s:%d で起動。GPU では、カーネルが触れたときに壊れる\n",
        l.name, argument, here.inKernel ? "起動した人のローカル変数か共有メモリか、" : "", l.site->file, l.site->line);
}

size_t allocatedBytes() {
    size_t sum = 0;
    for (auto& b : allocations) sum += b.bytes;
    return sum;
}
uint64_t memoryHash() {
    if (allocatedBytes() > size_t(64) << 20) return 0;
    uint64_t h = 1;
    for (auto& b : allocations) h = hashBytes(b.p, b.bytes, h);
    return h;
}

static Allocation* mapped(const void* p) {  // 終わりの後の、触れられないページも含む
    for (auto& b : allocations)
        if ((const char*)p >= b.map && (const char*)p < b.map + b.mapped) return &b;
    return nullptr;
}
bool inDeviceMemory(const void* p) { return mapped(p); }
bool describeAddress(const void* a, bool inKernel) {
    const Allocation* b = mapped(a);
    if (!b) return describeFreed(a);
    const char *p = (const char*)a, *name = b->name.c_str();
    if (!inKernel && find(p) == b && b->kind == Memory::device)
        report("  %s (%s:%d で確保したデバイスのメモリ) の中: cudaMemcpy でホストに写してから読む\n", name,
               b->site.file, b->site.line);
    else if (p >= b->p + b->bytes)
        report("  %s (%zu バイト, %s:%d で確保) の先頭から %zu バイト目: 配列の終わりを越えている\n", name, b->bytes,
               b->site.file, b->site.line, size_t(p - b->p));
    else
        report("  %s (%zu バイト, %s:%d で確保) の先頭から %zu バイト前%s\n", name, b->bytes, b->site.file,
               b->site.line, size_t(b->p - p), inKernel ? "" : ": free や delete に渡したのなら、cudaFree で返す");
    return true;
}
}  // namespace cpu

// ---------------------------------------------------------------- ホストとデバイスの両方から触れるメモリ
// どれも置き場は 1 つなので、アドレスもどちらから見ても同じ
using namespace cpu;
cudaError_t cpu::hostGetDevicePointer(void** device, void* host) {
    const Memory m = memoryOf(host);
    const bool known = m == Memory::host || m == Memory::registered || m == Memory::managed;
    *device = known ? host : nullptr;
    return known ? cudaSuccess : remember(cudaErrorInvalidValue);
}
cudaError_t cpu::advise(const void* p, size_t) {
    return remember(memoryOf(p) >= Memory::managed ? stickyError() : cudaErrorInvalidValue);
}
cudaError_t cudaDeviceReset(const char* file, int line) {  // 全部を返す。返し忘れは、その前に言う
    reportLeaks();
    for (size_t k = allocations.size(); k-- > 0;)
        if (allocations[k].map) release(allocations[k].p, allocations[k].kind, {file, line});
    return cudaSuccess;
}
cudaError_t cudaHostRegister(void* p, size_t bytes, unsigned) {
    if (!p || !bytes) return remember(cudaErrorInvalidValue);
    if (memoryOf(p) != Memory::none) return remember(cudaErrorHostMemoryAlreadyRegistered);
    const Array a{(char*)p, bytes, {1, false}, "cudaHostRegister したメモリ", false, {"", 0}};
    allocations.push_back({a, Memory::registered});
    toolAllocate(a);
    return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* p) {
    Allocation* const b = find(p);
    if (!b || b->p != p || b->kind != Memory::registered) return remember(cudaErrorHostMemoryNotRegistered);
    toolRelease(*b);
    allocations.erase(allocations.begin() + (b - allocations.data()));
    return cudaSuccess;
}
