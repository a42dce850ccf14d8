// properties.h: 装置の性質。名前と番号は CUDA 13 と同じ。
#pragma once
#include "error.h"
#include "vector.h"

struct CUuuid_st { char bytes[16]; };
typedef CUuuid_st CUuuid, cudaUUID_t;
struct cudaDeviceProp {  // 並びは CUDA と違う。プログラムが聞かないものは、ない
    char name[256];
    cudaUUID_t uuid;
    size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerMultiprocessor, sharedMemPerBlockOptin,
        reservedSharedMemPerBlock, memPitch, totalConstMem, textureAlignment, texturePitchAlignment, surfaceAlignment;
    int major, minor, multiProcessorCount, warpSize, regsPerBlock, regsPerMultiprocessor, maxThreadsPerBlock,
        maxThreadsDim[3], maxGridSize[3], maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
    int maxTexture1D, maxTexture2D[2], maxTexture3D[3], maxTexture1DLayered[2], maxTexture2DLayered[3];
    int integrated, canMapHostMemory, concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
        asyncEngineCount, unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize,
        streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported, managedMemory, isMultiGpuBoard,
        hostNativeAtomicSupported, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported,
        canUseHostPointerForRegisteredMem, cooperativeLaunch, hostRegisterSupported, memoryPoolsSupported,
        directManagedMemAccessFromHost, clusterLaunch;
    // CUDA 12 まであったもの
    int clockRate, memoryClockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode,
        singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
};

// cudaDeviceGetAttribute の番号と、それが返すもの。0 は、CPU デバイスにないもの (メモリのクロックなど)。
// clock64() はナノ秒を数えるので、clockRate は 1 GHz (1000000 kHz)
// clang-format off: 1 行に 1 つ
#define CPU_ATTRIBUTES(X) \
    X(MaxThreadsPerBlock, 1, p.maxThreadsPerBlock) \
    X(MaxBlockDimX, 2, p.maxThreadsDim[0]) \
    X(MaxBlockDimY, 3, p.maxThreadsDim[1]) \
    X(MaxBlockDimZ, 4, p.maxThreadsDim[2]) \
    X(MaxGridDimX, 5, p.maxGridSize[0]) \
    X(MaxGridDimY, 6, p.maxGridSize[1]) \
    X(MaxGridDimZ, 7, p.maxGridSize[2]) \
    X(MaxSharedMemoryPerBlock, 8, p.sharedMemPerBlock) \
    X(TotalConstantMemory, 9, p.totalConstMem) \
    X(WarpSize, 10, p.warpSize) \
    X(MaxRegistersPerBlock, 12, p.regsPerBlock) \
    X(ClockRate, 13, p.clockRate) \
    X(MultiProcessorCount, 16, p.multiProcessorCount) \
    X(Integrated, 18, p.integrated) \
    X(CanMapHostMemory, 19, p.canMapHostMemory) \
    X(ComputeMode, 20, 0) \
    X(ConcurrentKernels, 31, p.concurrentKernels) \
    X(MemoryClockRate, 36, 0) \
    X(GlobalMemoryBusWidth, 37, p.memoryBusWidth) \
    X(L2CacheSize, 38, p.l2CacheSize) \
    X(MaxThreadsPerMultiProcessor, 39, p.maxThreadsPerMultiProcessor) \
    X(AsyncEngineCount, 40, p.asyncEngineCount) \
    X(UnifiedAddressing, 41, p.unifiedAddressing) \
    X(ComputeCapabilityMajor, 75, p.major) \
    X(ComputeCapabilityMinor, 76, p.minor) \
    X(StreamPrioritiesSupported, 78, p.streamPrioritiesSupported) \
    X(MaxSharedMemoryPerMultiprocessor, 81, p.sharedMemPerMultiprocessor) \
    X(MaxRegistersPerMultiprocessor, 82, p.regsPerMultiprocessor) \
    X(ManagedMemory, 83, p.managedMemory) \
    X(HostNativeAtomicSupported, 86, p.hostNativeAtomicSupported) \
    X(PageableMemoryAccess, 88, p.pageableMemoryAccess) \
    X(ConcurrentManagedAccess, 89, p.concurrentManagedAccess) \
    X(CooperativeLaunch, 95, p.cooperativeLaunch) \
    X(MaxSharedMemoryPerBlockOptin, 97, p.sharedMemPerBlockOptin) \
    X(MaxBlocksPerMultiprocessor, 106, p.maxBlocksPerMultiProcessor) \
    X(MemoryPoolsSupported, 115, p.memoryPoolsSupported) \
    X(ClusterLaunch, 120, p.clusterLaunch)
// clang-format on
#define CPU_ATTRIBUTE(name, number, value) cudaDevAttr##name = number,
enum cudaDeviceAttr { CPU_ATTRIBUTES(CPU_ATTRIBUTE) };
#undef CPU_ATTRIBUTE
enum cudaComputeMode {
    cudaComputeModeDefault,
    cudaComputeModeExclusive,
    cudaComputeModeProhibited,
    cudaComputeModeExclusiveProcess
};
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int device);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
inline cudaError_t cudaDriverGetVersion(int* v) { return cpu::answer(v, 13000); }
inline cudaError_t cudaRuntimeGetVersion(int* v) { return cpu::answer(v, 13000); }
