// kernel.h: <<<>>> を使わない起動 (cudaLaunchKernel など) と、カーネルの性質。
#pragma once
#include "launch.h"
#include "stream.h"

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned numAttrs;
};
namespace cpu {
typedef Operation* (*KernelCall)(const Launch&, const void* kernel, void** args);  // 引数を写して、1 つの仕事にする
void rememberKernel(const void* kernel, const Arguments&, KernelCall);
cudaError_t launchAddress(const Launch&, const void* kernel, void** args);
cudaError_t launchConfigured(const cudaLaunchConfig_t&, const void* kernel, void** args, const Site*);

template <class R, class... P> struct Call {
    template <size_t... I>
    static Operation* copy(const Launch& l, const void* f, void** args, std::index_sequence<I...>) {
        checkArguments(l, 1, *(P*)args[I]...);
        auto call = [kernel = (R (*)(P...))f, copies = std::tuple<P...>(*(P*)args[I]...)]()
                        CPU_PLAIN { return kernel(std::get<I>(copies)...); };
        return new KernelOperationOf<decltype(call)>(l, call);
    }
    static Operation* make(const Launch& l, const void* f, void** args) {
        return copy(l, f, args, std::index_sequence_for<P...>());
    }
};
// rewrite は、(void*)kernel をこれに書き換える
template <class... P> void* kernelAddress(void (*f)(P...), const Arguments& a) {
    rememberKernel((const void*)f, a, Call<void, P...>::make);
    return (void*)f;
}
template <class T> void* kernelAddress(T p, const Arguments&) { return (void*)p; }
template <class T> void* kernelAddress(T p, const char* name) { return kernelAddress(p, Arguments{name, 0}); }
}  // namespace cpu

template <class K>
cudaError_t cudaLaunchKernel(cpu::Arguments a, K kernel, dim3 grid, dim3 block, void** args, size_t shared = 0,
                             cudaStream_t s = nullptr, CPU_HERE) {
    const void* f = cpu::kernelAddress(kernel, a);
    return cpu::launchAddress({cpu::place(file, line), cpu::kernelName(f), grid, block, shared, s}, f, args);
}
template <class K>
cudaError_t cudaLaunchCooperativeKernel(cpu::Arguments a, K kernel, dim3 grid, dim3 block, void** args,
                                        size_t shared = 0, cudaStream_t s = nullptr, CPU_HERE) {
    const void* f = cpu::kernelAddress(kernel, a);
    return cpu::launchAddress({cpu::place(file, line), cpu::kernelName(f), grid, block, shared, s, true}, f, args);
}
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* kernel, void** args, CPU_HERE) {
    return cpu::launchConfigured(*c, kernel, args, cpu::place(file, line));
}
template <class R, class... P, class... Args>
cudaError_t cudaLaunchKernelEx(cpu::Arguments a, const cudaLaunchConfig_t* c, R (*kernel)(P...), Args&&... args) {
    std::tuple<P...> copies(std::forward<Args>(args)...);
    void* pointers[sizeof...(P) + 1] = {};
    std::apply(
        [&](auto&... each) {
            size_t k = 0;
            ((pointers[k++] = (void*)&each), ...);
        },
        copies);
    static constexpr cpu::Site site{"cudaLaunchKernelEx", 0};
    return cpu::launchConfigured(*c, cpu::kernelAddress(kernel, a), pointers, &site);
}
// 報告にカーネルの名前を書くために、引数の文を添える
#define cudaLaunchKernel(...) cudaLaunchKernel(::cpu::Arguments{#__VA_ARGS__, 0}, __VA_ARGS__)
#define cudaLaunchCooperativeKernel(...) cudaLaunchCooperativeKernel(::cpu::Arguments{#__VA_ARGS__, 0}, __VA_ARGS__)
#define cudaLaunchKernelEx(...) cudaLaunchKernelEx(::cpu::Arguments{#__VA_ARGS__, 1}, __VA_ARGS__)
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}

// ---------------------------------------------------------------- カーネルの性質と、同時に載る数
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
        preferredShmemCarveout;
};
enum { cudaOccupancyDefault = 0 };
enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
    cudaLimitPersistingL2CacheSize = 6
};
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t);
cudaError_t cudaDeviceGetLimit(size_t*, cudaLimit);
namespace cpu {
cudaError_t functionAttributes(cudaFuncAttributes*);
cudaError_t bestBlock(int* grid, int* block, size_t sharedBytes, int limit);
}  // namespace cpu
template <class K> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, K) { return cpu::functionAttributes(a); }
template <class K> cudaError_t cudaFuncSetAttribute(K, cudaFuncAttribute a, int value) {
    if (a == cudaFuncAttributeMaxDynamicSharedMemorySize) cpu::allowDynamicShared(size_t(value));
    return cudaSuccess;
}
template <class K> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, K, int block,
                                                                             size_t sharedBytes, unsigned = 0) {
    *blocks = cpu::occupancy(block, sharedBytes);
    return cudaSuccess;
}
template <class K> cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, K, size_t sharedBytes = 0,
                                                                  int limit = 0, unsigned = 0) {
    return cpu::bestBlock(grid, block, sharedBytes, limit);
}
#define cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags cudaOccupancyMaxActiveBlocksPerMultiprocessor
#define cudaOccupancyMaxPotentialBlockSizeWithFlags cudaOccupancyMaxPotentialBlockSize
