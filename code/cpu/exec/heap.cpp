// heap.cpp: カーネルの中の new と delete。GPU のヒープは決まった大きさなので、返し忘れは、そこで分かる。
// 検査の道具は、カーネルの間に自分でも new するので、数えない。
#ifndef __wasm__
#include <cstdlib>
#include <new>
#ifdef __APPLE__
#include <malloc/malloc.h>
#define malloc_usable_size malloc_size
#else
#include <malloc.h>
#endif

#include "cpu/kernel.h"
#include "exec.h"

namespace cpu {
static std::atomic<int64_t> held{0};  // カーネルの中で取って、まだ返していないバイト数
static void taken(void* p, void* pc) {
    if (!here.inKernel || toolAttached()) return;
    size_t limit = 0;
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    if ((held += int64_t(malloc_usable_size(p))) <= int64_t(limit)) return;
    here.inKernel = false;  // 報告のための new は数えない
    failKernel(cudaErrorLaunchFailure, [&] {
        report(
            "CPU デバイス: カーネルの中の new が、delete されないまま %zu MiB を越えた: GPU のヒープはここまでで、"
            "new は nullptr を返す\n  %s: %s\n  使い終わったら delete する。足りないなら、cudaDeviceSetLimit"
            "(cudaLimitMallocHeapSize, …) で増やす\n",
            limit >> 20, where((char*)pc - 1).c_str(), threadName().c_str());
    });
}
static void given(void* p, void* pc) {
    if (here.inKernel && inDeviceMemory(p))
        failKernel(cudaErrorLaunchFailure, [&] {
            report("CPU デバイス: カーネルが、cudaMalloc した所を delete した\n  %s: %s\n",
                   where((char*)pc - 1).c_str(), threadName().c_str());
        });
    if (here.inKernel && !toolAttached()) held -= int64_t(malloc_usable_size(p));
}
}  // namespace cpu

__attribute__((weak)) void* operator new(size_t bytes) {
    void* const p = malloc(bytes ? bytes : 1);
    if (!p) throw std::bad_alloc();
    cpu::taken(p, __builtin_return_address(0));
    return p;
}
__attribute__((weak)) void operator delete(void* p) noexcept {
    cpu::given(p, __builtin_return_address(0));
    free(p);
}
__attribute__((weak, flatten)) void operator delete(void* p, size_t) noexcept { operator delete(p); }
#endif
