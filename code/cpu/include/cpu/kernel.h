// kernel.h: <<<>>> を使わない起動 (cudaLaunchKernel など) と、カーネルの性質。
#pragma once
#include "launch.h"
#include "stream.h"

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
};
namespace cpu {
typedef Operation* (*KernelCall)(const Launch&, const void* kernel, void** args);  // 引数を写して、1 つの仕事にする
void rememberKernel(const void* kernel, const Arguments&, KernelCall);
cudaError_t launchAddress(const Launch&, const void* kernel, void** args);

template <class... P, size_t... I>
Operation* callOf(const Launch& l, void (*kernel)(P...), void** args, std::index_sequence<I...>) {
    checkArguments(l, *(P*)args[I]...);
    auto call = [kernel, copies = std::tuple<P...>(*(P*)args[I]...)]()
                    CPU_PLAIN { return kernel(std::get<I>(copies)...); };
    return OperationOf(launchWork(l, call)).copy();
}
// rewrite は、(void*)kernel をこれに書き換える
template <class... P> void* kernelAddress(void (*f)(P...), const Arguments& a) {
    rememberKernel((const void*)f, a, [](const Launch& l, const void* kernel, void** args) {
        return callOf(l, (void (*)(P...))kernel, args, std::index_sequence_for<P...>());
    });
    return (void*)f;
}
template <class T> void* kernelAddress(T p, const Arguments&) { return (void*)p; }
template <class T> void* kernelAddress(T p, const char* name) { return kernelAddress(p, Arguments{name, 0}); }
template <class K> cudaError_t launchKernel(const Site* site, bool cooperative, const Arguments& a, K kernel, dim3 grid,
                                            dim3 block, void** args, size_t shared = 0, cudaStream_t s = nullptr) {
    const void* f = kernelAddress(kernel, a);
    return launchAddress({site, kernelName(f), grid, block, shared, s, cooperative}, f, args);
}
template <class... P, class... Args> cudaError_t launchKernelEx(const Site* site, const Arguments& a,
                                                                const cudaLaunchConfig_t* c, void (*kernel)(P...),
                                                                Args&&... args) {
    std::tuple<P...> copies(std::forward<Args>(args)...);
    const auto launch = [&](auto&... each) {
        void* pointers[] = {(void*)&each..., nullptr};
        return launchKernel(site, false, a, kernel, c->gridDim, c->blockDim, pointers, c->dynamicSmemBytes, c->stream);
    };
    return std::apply(launch, copies);
}
}  // namespace cpu
// 報告にカーネルの名前を書くために、引数の文を添える
#define cudaLaunchKernel(...) ::cpu::launchKernel(CPU_SITE, false, {#__VA_ARGS__, 0}, __VA_ARGS__)
#define cudaLaunchCooperativeKernel(...) ::cpu::launchKernel(CPU_SITE, true, {#__VA_ARGS__, 0}, __VA_ARGS__)
#define cudaLaunchKernelEx(...) ::cpu::launchKernelEx(CPU_SITE, {#__VA_ARGS__, 1}, __VA_ARGS__)

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
enum cudaLimit { cudaLimitStackSize = 0, cudaLimitPrintfFifoSize = 1, cudaLimitMallocHeapSize = 2 };
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
    return cpu::answer(blocks, cpu::occupancy(block, sharedBytes));
}
template <class K> cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, K, size_t sharedBytes = 0,
                                                                  int limit = 0, unsigned = 0) {
    return cpu::bestBlock(grid, block, sharedBytes, limit);
}
