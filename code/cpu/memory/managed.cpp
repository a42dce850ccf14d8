// managed.cpp: ホストとデバイスの両方から触れるメモリ。どれも置き場は 1 つなので、アドレスもどちらから見ても同じ。
#include "cpu/managed.h"

#include <algorithm>

#include "../tools/tool.h"

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
cudaError_t cudaHostRegister(void* p, size_t bytes, unsigned) {
    if (!p || !bytes) return remember(cudaErrorInvalidValue);
    if (memoryOf(p) != Memory::none) return remember(cudaErrorHostMemoryAlreadyRegistered);
    knownRanges.push_back({(char*)p, bytes, Memory::registered});
    toolAllocate({(char*)p, bytes, {1, false}, "cudaHostRegister したメモリ", false, {"", 0}});
    return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* p) {
    const auto it = std::find_if(knownRanges.begin(), knownRanges.end(),
                                 [p](const Range& r) { return r.p == p && r.kind == Memory::registered; });
    if (it == knownRanges.end()) return remember(cudaErrorHostMemoryNotRegistered);
    toolRelease({(char*)p, it->bytes, {1, false}, "", false, {"", 0}});
    knownRanges.erase(it);
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* a, const void* p) {
    const Memory m = memoryOf(p);
    void* const q = (void*)p;
    if (m == Memory::none) *a = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, q};
    else if (isDevice(m)) *a = {cudaMemoryTypeDevice, 0, q, nullptr};
    else *a = {m >= Memory::managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost, 0, q, q};
    return cudaSuccess;
}

// ---------------------------------------------------------------- プール
// 返したメモリはすぐに計算機に返すので、取り置きはいつも使っている分と同じ。覚えておくのは、読者が決めた数だけ
struct CUmemPoolHandle_st { uint64_t value[cudaMemPoolAttrUsedMemHigh + 1] = {0, 0, 1, 1}; };
static CUmemPoolHandle_st defaultPool;
static bool isFlag(cudaMemPoolAttr a) { return a <= cudaMemPoolReuseAllowInternalDependencies; }  // int で受け渡す
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return device == 0 ? answer(pool, &defaultPool) : remember(cudaErrorInvalidDevice);
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr a, void* value) {
    if (a == cudaMemPoolAttrReservedMemCurrent || a == cudaMemPoolAttrUsedMemCurrent)
        return remember(cudaErrorInvalidValue);
    return answer(&pool->value[a], isFlag(a) ? uint64_t(*(int*)value) : *(uint64_t*)value);
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr a, void* value) {
    for (const int k : {cudaMemPoolAttrReservedMemCurrent, cudaMemPoolAttrUsedMemCurrent}) {
        pool->value[k] = allocatedBytes();
        pool->value[k + 1] = std::max(pool->value[k + 1], pool->value[k]);  // これまでの最大
    }
    return isFlag(a) ? answer((int*)value, int(pool->value[a])) : answer((uint64_t*)value, pool->value[a]);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return remember(stickyError()); }
