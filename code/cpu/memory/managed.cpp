// managed.cpp: ホストとデバイスの両方から触れるメモリ。どれも置き場は 1 つなので、アドレスもどちらから見ても同じ。
#include "cpu/managed.h"

#include <algorithm>
#include <map>

#include "../tools/tool.h"

using namespace cpu;
static std::map<const char*, size_t> registered;  // cudaHostRegister した普通のメモリ
static const char* registeredStart(const void* p) {
    auto it = registered.upper_bound((const char*)p);
    if (it == registered.begin()) return nullptr;
    --it;
    return (const char*)p < it->first + it->second ? it->first : nullptr;
}
// __managed__ の変数は、リンカが 1 か所に集める。1 つもなければ、始めも終わりもない
#ifdef __APPLE__
extern char managedStart[] asm("section$start$__DATA$cpu_managed"), managedEnd[] asm("section$end$__DATA$cpu_managed");
#else
extern char managedStart[] asm("__start_cpu_managed") __attribute__((weak)), managedEnd[] asm("__stop_cpu_managed")
                                                                                 __attribute__((weak));
#endif
namespace cpu {
bool isManagedVariable(const void* p) { return (const char*)p >= managedStart && (const char*)p < managedEnd; }
bool isRegistered(const void* p) { return registeredStart(p); }
cudaError_t hostGetDevicePointer(void** device, void* host) {
    Memory kind;
    const bool known =
        registeredStart(host) || (memoryKind(host, kind) && (kind == Memory::host || kind == Memory::managed));
    *device = known ? host : nullptr;
    return known ? cudaSuccess : remember(cudaErrorInvalidValue);
}
cudaError_t advise(const void* p, size_t) {
    Memory kind;
    const bool managed = isManagedVariable(p) || (memoryKind(p, kind) && kind == Memory::managed);
    return managed ? remember(stickyError()) : remember(cudaErrorInvalidValue);
}
}  // namespace cpu

cudaError_t cudaHostRegister(void* p, size_t bytes, unsigned) {
    Memory kind;
    if (!p || !bytes) return remember(cudaErrorInvalidValue);
    if (registeredStart(p) || memoryKind(p, kind)) return remember(cudaErrorHostMemoryAlreadyRegistered);
    registered[(const char*)p] = bytes;
    toolAllocate({(char*)p, bytes, {1, false}, "cudaHostRegister したメモリ", false, {"", 0}});
    return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* p) {
    const auto it = registered.find((const char*)p);
    if (it == registered.end()) return remember(cudaErrorHostMemoryNotRegistered);
    toolRelease({(char*)p, it->second, {1, false}, "", false, {"", 0}});
    registered.erase(it);
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* a, const void* p) {
    Memory kind;
    void* q = (void*)p;
    *a = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, q};
    if (isManagedVariable(p)) *a = {cudaMemoryTypeManaged, 0, q, q};
    else if (isSymbol(p)) *a = {cudaMemoryTypeDevice, 0, q, nullptr};
    else if (registeredStart(p)) *a = {cudaMemoryTypeHost, 0, q, q};
    else if (memoryKind(p, kind)) {
        if (kind == Memory::device || kind == Memory::graph) *a = {cudaMemoryTypeDevice, 0, q, nullptr};
        else *a = {kind == Memory::host ? cudaMemoryTypeHost : cudaMemoryTypeManaged, 0, q, q};
    }
    return cudaSuccess;
}

// ---------------------------------------------------------------- プール
// 返したメモリはすぐに計算機に返すので、取り置きはいつも使っている分と同じ。覚えておくのは、読者が決めた数だけ
struct CUmemPoolHandle_st {
    uint64_t releaseThreshold = 0, high = 0;
    int reuse[4] = {0, 1, 1, 1};
};
static CUmemPoolHandle_st defaultPool;
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    if (device != 0) return remember(cudaErrorInvalidDevice);
    *pool = &defaultPool;
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr a, void* value) {
    if (a >= cudaMemPoolReuseFollowEventDependencies && a <= cudaMemPoolReuseAllowInternalDependencies)
        pool->reuse[a] = *(int*)value;
    else if (a == cudaMemPoolAttrReleaseThreshold) pool->releaseThreshold = *(uint64_t*)value;
    else if (a == cudaMemPoolAttrReservedMemHigh || a == cudaMemPoolAttrUsedMemHigh) pool->high = 0;
    else return remember(cudaErrorInvalidValue);
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr a, void* value) {
    pool->high = std::max<uint64_t>(pool->high, allocatedBytes());
    if (a >= cudaMemPoolReuseFollowEventDependencies && a <= cudaMemPoolReuseAllowInternalDependencies)
        *(int*)value = pool->reuse[a];
    else if (a == cudaMemPoolAttrReleaseThreshold) *(uint64_t*)value = pool->releaseThreshold;
    else if (a == cudaMemPoolAttrReservedMemHigh || a == cudaMemPoolAttrUsedMemHigh) *(uint64_t*)value = pool->high;
    else *(uint64_t*)value = allocatedBytes();
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return remember(stickyError()); }
