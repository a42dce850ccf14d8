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
