// cuda.h: ドライバ API (cu で始まる関数)。読み込むだけなら害はない。型はあるが、関数を呼ぶ行はエラーになる。
#pragma once
#include "cuda_runtime.h"

#define __cuda_cuda_h__
#define CUDA_VERSION 13000
#define CUDA_CB
#define CUDAAPI
typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

#define CPU_DRIVER(name) \
    CPU_ABSENT(name, "ドライバ API (cu…) は CPU デバイスにはない: cuda… の関数 (ランタイム API) で書くか、GPU で動かす")
// clang-format off
CPU_DRIVER(cuArray3DCreate) CPU_DRIVER(cuArray3DGetDescriptor) CPU_DRIVER(cuArrayCreate) CPU_DRIVER(cuArrayDestroy)
CPU_DRIVER(cuCtxAttach) CPU_DRIVER(cuCtxCreate) CPU_DRIVER(cuCtxDestroy) CPU_DRIVER(cuCtxDetach)
CPU_DRIVER(cuCtxDisablePeerAccess) CPU_DRIVER(cuCtxEnablePeerAccess) CPU_DRIVER(cuCtxFromGreenCtx)
CPU_DRIVER(cuCtxGetApiVersion) CPU_DRIVER(cuCtxGetCacheConfig) CPU_DRIVER(cuCtxGetCurrent)
CPU_DRIVER(cuCtxGetDevResource) CPU_DRIVER(cuCtxGetDevice) CPU_DRIVER(cuCtxGetExecAffinity) CPU_DRIVER(cuCtxGetFlags)
CPU_DRIVER(cuCtxGetId) CPU_DRIVER(cuCtxGetLimit) CPU_DRIVER(cuCtxGetSharedMemConfig)
CPU_DRIVER(cuCtxGetStreamPriorityRange) CPU_DRIVER(cuCtxPopCurrent) CPU_DRIVER(cuCtxPushCurrent)
CPU_DRIVER(cuCtxRecordEvent) CPU_DRIVER(cuCtxResetPersistingL2Cache) CPU_DRIVER(cuCtxSetCacheConfig)
CPU_DRIVER(cuCtxSetCurrent) CPU_DRIVER(cuCtxSetFlags) CPU_DRIVER(cuCtxSetLimit) CPU_DRIVER(cuCtxSetSharedMemConfig)
CPU_DRIVER(cuCtxSynchronize) CPU_DRIVER(cuCtxWaitEvent) CPU_DRIVER(cuDeviceComputeCapability) CPU_DRIVER(cuDeviceGet)
CPU_DRIVER(cuDeviceGetAttribute) CPU_DRIVER(cuDeviceGetCount) CPU_DRIVER(cuDeviceGetName)
CPU_DRIVER(cuDeviceGetProperties) CPU_DRIVER(cuDeviceGetUuid) CPU_DRIVER(cuDevicePrimaryCtxGetState)
CPU_DRIVER(cuDevicePrimaryCtxRelease) CPU_DRIVER(cuDevicePrimaryCtxReset) CPU_DRIVER(cuDevicePrimaryCtxRetain)
CPU_DRIVER(cuDevicePrimaryCtxSetFlags) CPU_DRIVER(cuDeviceTotalMem) CPU_DRIVER(cuDriverGetVersion)
CPU_DRIVER(cuEventCreate) CPU_DRIVER(cuEventDestroy) CPU_DRIVER(cuEventElapsedTime) CPU_DRIVER(cuEventQuery)
CPU_DRIVER(cuEventRecord) CPU_DRIVER(cuEventRecordWithFlags) CPU_DRIVER(cuEventSynchronize)
CPU_DRIVER(cuFuncGetAttribute) CPU_DRIVER(cuFuncGetModule) CPU_DRIVER(cuFuncGetName) CPU_DRIVER(cuFuncGetParamInfo)
CPU_DRIVER(cuFuncIsLoaded) CPU_DRIVER(cuFuncLoad) CPU_DRIVER(cuFuncSetAttribute) CPU_DRIVER(cuFuncSetBlockShape)
CPU_DRIVER(cuFuncSetCacheConfig) CPU_DRIVER(cuFuncSetSharedMemConfig) CPU_DRIVER(cuFuncSetSharedSize)
CPU_DRIVER(cuGetErrorName) CPU_DRIVER(cuGetErrorString) CPU_DRIVER(cuGraphCreate) CPU_DRIVER(cuGraphInstantiate)
CPU_DRIVER(cuGraphInstantiateWithParams) CPU_DRIVER(cuGraphLaunch) CPU_DRIVER(cuInit) CPU_DRIVER(cuKernelGetAttribute)
CPU_DRIVER(cuKernelGetFunction) CPU_DRIVER(cuKernelGetLibrary) CPU_DRIVER(cuKernelGetName)
CPU_DRIVER(cuKernelGetParamInfo) CPU_DRIVER(cuKernelSetAttribute) CPU_DRIVER(cuKernelSetCacheConfig)
CPU_DRIVER(cuLaunch) CPU_DRIVER(cuLaunchCooperativeKernel) CPU_DRIVER(cuLaunchCooperativeKernelMultiDevice)
CPU_DRIVER(cuLaunchGrid) CPU_DRIVER(cuLaunchGridAsync) CPU_DRIVER(cuLaunchHostFunc) CPU_DRIVER(cuLaunchKernel)
CPU_DRIVER(cuLaunchKernelEx) CPU_DRIVER(cuLibraryEnumerateKernels) CPU_DRIVER(cuLibraryGetGlobal)
CPU_DRIVER(cuLibraryGetKernel) CPU_DRIVER(cuLibraryGetKernelCount) CPU_DRIVER(cuLibraryGetManaged)
CPU_DRIVER(cuLibraryGetModule) CPU_DRIVER(cuLibraryGetUnifiedFunction) CPU_DRIVER(cuLibraryLoadData)
CPU_DRIVER(cuLibraryLoadFromFile) CPU_DRIVER(cuLibraryUnload) CPU_DRIVER(cuLinkAddData) CPU_DRIVER(cuLinkAddFile)
CPU_DRIVER(cuLinkCreate) CPU_DRIVER(cuMemAddressFree) CPU_DRIVER(cuMemAddressReserve) CPU_DRIVER(cuMemAdvise)
CPU_DRIVER(cuMemAlloc) CPU_DRIVER(cuMemAllocAsync) CPU_DRIVER(cuMemAllocFromPoolAsync) CPU_DRIVER(cuMemAllocHost)
CPU_DRIVER(cuMemAllocManaged) CPU_DRIVER(cuMemAllocPitch) CPU_DRIVER(cuMemCreate) CPU_DRIVER(cuMemFree)
CPU_DRIVER(cuMemFreeAsync) CPU_DRIVER(cuMemFreeHost) CPU_DRIVER(cuMemGetAllocationGranularity)
CPU_DRIVER(cuMemGetAllocationPropertiesFromHandle) CPU_DRIVER(cuMemGetInfo) CPU_DRIVER(cuMemHostAlloc)
CPU_DRIVER(cuMemHostGetDevicePointer) CPU_DRIVER(cuMemHostGetFlags) CPU_DRIVER(cuMemHostRegister)
CPU_DRIVER(cuMemHostUnregister) CPU_DRIVER(cuMemMap) CPU_DRIVER(cuMemMapArrayAsync) CPU_DRIVER(cuMemPrefetchAsync)
CPU_DRIVER(cuMemPrefetchBatchAsync) CPU_DRIVER(cuMemRelease) CPU_DRIVER(cuMemSetAccess) CPU_DRIVER(cuMemUnmap)
CPU_DRIVER(cuMemcpy) CPU_DRIVER(cuMemcpy2D) CPU_DRIVER(cuMemcpy2DAsync) CPU_DRIVER(cuMemcpy2DUnaligned)
CPU_DRIVER(cuMemcpy3D) CPU_DRIVER(cuMemcpy3DAsync) CPU_DRIVER(cuMemcpy3DBatchAsync) CPU_DRIVER(cuMemcpy3DPeer)
CPU_DRIVER(cuMemcpy3DPeerAsync) CPU_DRIVER(cuMemcpyAsync) CPU_DRIVER(cuMemcpyAtoA) CPU_DRIVER(cuMemcpyAtoD)
CPU_DRIVER(cuMemcpyAtoH) CPU_DRIVER(cuMemcpyAtoHAsync) CPU_DRIVER(cuMemcpyBatchAsync) CPU_DRIVER(cuMemcpyDtoA)
CPU_DRIVER(cuMemcpyDtoD) CPU_DRIVER(cuMemcpyDtoDAsync) CPU_DRIVER(cuMemcpyDtoH) CPU_DRIVER(cuMemcpyDtoHAsync)
CPU_DRIVER(cuMemcpyHtoA) CPU_DRIVER(cuMemcpyHtoAAsync) CPU_DRIVER(cuMemcpyHtoD) CPU_DRIVER(cuMemcpyHtoDAsync)
CPU_DRIVER(cuMemcpyPeer) CPU_DRIVER(cuMemcpyPeerAsync) CPU_DRIVER(cuMemsetD16) CPU_DRIVER(cuMemsetD16Async)
CPU_DRIVER(cuMemsetD2D16) CPU_DRIVER(cuMemsetD2D16Async) CPU_DRIVER(cuMemsetD2D32) CPU_DRIVER(cuMemsetD2D32Async)
CPU_DRIVER(cuMemsetD2D8) CPU_DRIVER(cuMemsetD2D8Async) CPU_DRIVER(cuMemsetD32) CPU_DRIVER(cuMemsetD32Async)
CPU_DRIVER(cuMemsetD8) CPU_DRIVER(cuMemsetD8Async) CPU_DRIVER(cuModuleEnumerateFunctions)
CPU_DRIVER(cuModuleGetFunction) CPU_DRIVER(cuModuleGetFunctionCount) CPU_DRIVER(cuModuleGetGlobal)
CPU_DRIVER(cuModuleGetLoadingMode) CPU_DRIVER(cuModuleGetSurfRef) CPU_DRIVER(cuModuleGetTexRef)
CPU_DRIVER(cuModuleLoad) CPU_DRIVER(cuModuleLoadData) CPU_DRIVER(cuModuleLoadDataEx) CPU_DRIVER(cuModuleLoadFatBinary)
CPU_DRIVER(cuModuleUnload) CPU_DRIVER(cuOccupancyAvailableDynamicSMemPerBlock)
CPU_DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor)
CPU_DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags) CPU_DRIVER(cuOccupancyMaxActiveClusters)
CPU_DRIVER(cuOccupancyMaxPotentialBlockSize) CPU_DRIVER(cuOccupancyMaxPotentialBlockSizeWithFlags)
CPU_DRIVER(cuOccupancyMaxPotentialClusterSize) CPU_DRIVER(cuPointerGetAttribute) CPU_DRIVER(cuPointerGetAttributes)
CPU_DRIVER(cuStreamBeginCapture) CPU_DRIVER(cuStreamBeginCaptureToGraph) CPU_DRIVER(cuStreamCreate)
CPU_DRIVER(cuStreamCreateWithPriority) CPU_DRIVER(cuStreamDestroy) CPU_DRIVER(cuStreamEndCapture)
CPU_DRIVER(cuStreamQuery) CPU_DRIVER(cuStreamSynchronize) CPU_DRIVER(cuStreamWaitEvent)
CPU_DRIVER(cuStreamWaitValue32) CPU_DRIVER(cuStreamWaitValue64) CPU_DRIVER(cuTensorMapEncodeIm2col)
CPU_DRIVER(cuTensorMapEncodeIm2colWide) CPU_DRIVER(cuTensorMapEncodeTiled) CPU_DRIVER(cuTensorMapReplaceAddress)
CPU_DRIVER(cuTexObjectCreate) CPU_DRIVER(cuTexObjectDestroy) CPU_DRIVER(cuTexObjectGetResourceDesc)
CPU_DRIVER(cuTexObjectGetResourceViewDesc) CPU_DRIVER(cuTexObjectGetTextureDesc) CPU_DRIVER(cuTexRefCreate)
CPU_DRIVER(cuTexRefDestroy) CPU_DRIVER(cuTexRefGetAddress) CPU_DRIVER(cuTexRefGetAddressMode)
CPU_DRIVER(cuTexRefGetArray) CPU_DRIVER(cuTexRefGetBorderColor) CPU_DRIVER(cuTexRefGetFilterMode)
CPU_DRIVER(cuTexRefGetFlags) CPU_DRIVER(cuTexRefGetFormat) CPU_DRIVER(cuTexRefGetMaxAnisotropy)
CPU_DRIVER(cuTexRefGetMipmapFilterMode) CPU_DRIVER(cuTexRefGetMipmapLevelBias) CPU_DRIVER(cuTexRefGetMipmapLevelClamp)
CPU_DRIVER(cuTexRefGetMipmappedArray) CPU_DRIVER(cuTexRefSetAddress) CPU_DRIVER(cuTexRefSetAddress2D)
CPU_DRIVER(cuTexRefSetAddressMode) CPU_DRIVER(cuTexRefSetArray) CPU_DRIVER(cuTexRefSetBorderColor)
CPU_DRIVER(cuTexRefSetFilterMode) CPU_DRIVER(cuTexRefSetFlags) CPU_DRIVER(cuTexRefSetFormat)
CPU_DRIVER(cuTexRefSetMaxAnisotropy) CPU_DRIVER(cuTexRefSetMipmapFilterMode) CPU_DRIVER(cuTexRefSetMipmapLevelBias)
CPU_DRIVER(cuTexRefSetMipmapLevelClamp) CPU_DRIVER(cuTexRefSetMipmappedArray)
    // clang-format on
