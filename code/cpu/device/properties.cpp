// properties.cpp: 装置の性質。
#include <algorithm>
#include <cstdio>

#include "device.h"
#include "../tools/tool.h"

using namespace cpu;
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
    if (device != 0) return remember(cudaErrorInvalidDevice);
    // 書いていない性質は 0: CPU デバイスにはないか (テクスチャ、L2、バス)、決まっていない
    *p = cudaDeviceProp{};
    snprintf(p->name, sizeof p->name, "CPU デバイス (%s, %u コア)", processorName().c_str(), coreCount());
    p->totalGlobalMem = totalMemory();
    p->totalConstMem = 65536;
    p->memPitch = 2147483647;
    p->sharedMemPerBlock = kDefaultShared;
    p->sharedMemPerBlockOptin = p->sharedMemPerMultiprocessor = kMaxShared;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = 32;
    p->maxThreadsPerBlock = p->maxThreadsDim[0] = p->maxThreadsDim[1] = int(kMaxThreads);
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 2147483647;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->major = 9;  // 使える機能の目安。GPU ではない
    p->multiProcessorCount = kSMs;
    p->maxThreadsPerMultiProcessor = 2048;
    p->maxBlocksPerMultiProcessor = 32;
    // メモリはホストと同じものである
    p->integrated = p->unifiedAddressing = p->canMapHostMemory = p->canUseHostPointerForRegisteredMem = 1;
    p->managedMemory = p->concurrentManagedAccess = p->hostNativeAtomicSupported = 1;
    p->clockRate = 1000000;
    p->singleToDoublePrecisionPerfRatio = 1;
    p->cooperativeLaunch = p->memoryPoolsSupported = 1;
    toolProperties(*p);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr a, int device) {
    cudaDeviceProp p;
    const cudaError_t e = cudaGetDeviceProperties(&p, device);
    if (e != cudaSuccess) return e;
    switch (a) {
#define CPU_ATTRIBUTE(name, number, result) \
    case cudaDevAttr##name: *value = int(result); return cudaSuccess;
        CPU_ATTRIBUTES(CPU_ATTRIBUTE)
    }
    return remember(cudaErrorInvalidValue);
}
cudaError_t cudaDeviceSynchronize(const char* file, int line) {
    if (here.inKernel)
        failKernel(cudaErrorLaunchFailure, [&] {
            report(
                "CPU デバイス: カーネルの中から、起動したものや他の仕事の終わりを待つことはできない: ブロックの"
                "スレッドは __syncthreads() で待ち、続きは cudaStreamTailLaunch に起動するか、ホストで待つ\n  %s:%d\n",
                file, line);
        });
    toolWaitedAll();
    return remember(stickyError());
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    *total = totalMemory();
    *free = *total - std::min(*total, allocatedBytes());
    return cudaSuccess;
}
