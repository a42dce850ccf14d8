// managed.h: どこからでも触れるメモリ (マネージド、固定、登録した普通のメモリ) の性質と助言、ストリームの順の確保。
#pragma once
#include "memory.h"

enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy
};
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2,
};
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
enum { cudaCpuDeviceId = -1 };

cudaError_t cudaHostRegister(void*, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void*);
namespace cpu {
cudaError_t hostGetDevicePointer(void** device, void* host);
cudaError_t advise(const void*, size_t bytes);  // マネージドメモリの中か。助言は、置き場が 1 つなので何も変えない
}  // namespace cpu
template <class T> cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned) {
    return cpu::hostGetDevicePointer((void**)device, host);
}
// 場所を番号で言う CUDA 12 の形と、cudaMemLocation で言う CUDA 13 の形
inline cudaError_t cudaMemPrefetchAsync(const void* p, size_t n, int, cudaStream_t = nullptr) {
    return cpu::advise(p, n);
}
inline cudaError_t cudaMemPrefetchAsync(const void* p, size_t n, cudaMemLocation, unsigned, cudaStream_t = nullptr) {
    return cpu::advise(p, n);
}
inline cudaError_t cudaMemAdvise(const void* p, size_t n, cudaMemoryAdvise, int) { return cpu::advise(p, n); }
inline cudaError_t cudaMemAdvise(const void* p, size_t n, cudaMemoryAdvise, cudaMemLocation) {
    return cpu::advise(p, n);
}
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, const void* p, size_t n = 0, unsigned = cudaMemAttachSingle) {
    return cpu::advise(p, n);
}

// ---------------------------------------------------------------- ストリームの順に確保する
namespace cpu {
cudaError_t outsideCapture(const char* name, cudaStream_t, Site);  // グラフに記録中なら、断る
cudaError_t releaseInStream(void* p, cudaStream_t, Site);
void reserveInStream(void* p, size_t bytes, cudaStream_t, Site);  // ほかのストリームで使えるのは、待ってから
template <class T>
cudaError_t allocateInStream(T** p, const char* name, Site site, size_t bytes, cudaStream_t s = nullptr) {
    cudaError_t e = outsideCapture("cudaMallocAsync", s, site);
    if (!e && !(e = allocateAs(p, bytes, Memory::device, name, site))) reserveInStream(*p, bytes, s, site);
    return e;
}
}  // namespace cpu
#define cudaMallocAsync(p, ...) ::cpu::allocateInStream((p), #p, ::cpu::Site{__FILE__, __LINE__}, __VA_ARGS__)
// 返したメモリはすぐに計算機に返すので、プールがいつまで取り置くかは、何も変えない
typedef struct CUmemPoolHandle_st* cudaMemPool_t;
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold = 4 };
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
    return cpu::answer<cudaMemPool_t>(pool, {});
}
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
inline cudaError_t cudaFreeAsync(void* p, cudaStream_t s, CPU_HERE) { return cpu::releaseInStream(p, s, {file, line}); }
