// api.h: ホストが呼ぶ関数 cuda*。中身は code/cpu の error.cpp, properties.cpp, stream.cpp, memory.cpp。
#pragma once
#include <cstring>
#include <type_traits>

#include "devices.h"
#include "vector.h"

// ---------------------------------------------------------------- ストリーム、イベント、グラフ
// すべての仕事はその場で、書かれた順に終わる。どのストリームの順序の約束にも合うが、重なりはしない。
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed
};
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1, cudaEventDefault = 0, cudaEventDisableTiming = 2 };
cudaError_t cudaStreamCreate(cudaStream_t*);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned flags = 0);
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long flags = 0);
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaEventCreate(cudaEvent_t*);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t stop);

// ---------------------------------------------------------------- メモリ
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum { cudaHostAllocDefault = 0, cudaMemAttachGlobal = 1 };
namespace cpu {
cudaError_t remember(cudaError_t);  // cudaGetLastError() のために覚えて、そのまま返す
struct Site {
    const char* file;
    int line;
};  // .cu の中の場所
enum class Memory { device, host, managed };
struct Element {
    size_t bytes;
    bool isFloat;
};  // 配列の要素。報告で「何番目」と言うために知っておく
template <class T> constexpr Element elementOf(const T*) { return {sizeof(T), std::is_floating_point<T>::value}; }
constexpr Element elementOf(const void*) { return {1, false}; }
cudaError_t allocate(void** p, size_t bytes, Memory kind, const char* name, Element, Site);
cudaError_t release(void* p, Memory kind, Site);
cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t, Site);
cudaError_t fill(void* p, int value, size_t bytes, cudaStream_t, Site);
cudaError_t symbol(const void* address, size_t bytes);  // __device__ 変数を、カーネルに渡してよいものとして登録する
}  // namespace cpu
#define CPU_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
// 変数の名前を報告に使うので、確保する関数だけはマクロにする
#define cudaMalloc(p, n) ::cpu::allocateAs((p), (n), ::cpu::Memory::device, #p, {__FILE__, __LINE__})
#define cudaMallocAsync(p, n, s) ::cpu::allocateAs((p), (n), ::cpu::Memory::device, #p, {__FILE__, __LINE__})
#define cudaMallocManaged(p, ...) \
    ::cpu::allocateAs((p), ::cpu::firstArgument(__VA_ARGS__), ::cpu::Memory::managed, #p, {__FILE__, __LINE__})
#define cudaMallocHost(p, ...) \
    ::cpu::allocateAs((p), ::cpu::firstArgument(__VA_ARGS__), ::cpu::Memory::host, #p, {__FILE__, __LINE__})
#define cudaHostAlloc(p, ...) \
    ::cpu::allocateAs((p), ::cpu::firstArgument(__VA_ARGS__), ::cpu::Memory::host, #p, {__FILE__, __LINE__})
namespace cpu {
template <class... Rest> size_t firstArgument(size_t n, Rest...) { return n; }
template <class T> cudaError_t allocateAs(T** p, size_t bytes, Memory kind, const char* name, Site site) {
    return allocate((void**)p, bytes, kind, name, elementOf(*p), site);
}
}  // namespace cpu
inline cudaError_t cudaFree(void* p, CPU_HERE) { return cpu::release(p, cpu::Memory::device, {file, line}); }
inline cudaError_t cudaFreeAsync(void* p, cudaStream_t, CPU_HERE) {
    return cpu::release(p, cpu::Memory::device, {file, line});
}
inline cudaError_t cudaFreeHost(void* p, CPU_HERE) { return cpu::release(p, cpu::Memory::host, {file, line}); }
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t n, cudaMemcpyKind k, CPU_HERE) {
    return cpu::copy(to, from, n, k, nullptr, {file, line});
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t n, cudaMemcpyKind k, cudaStream_t s = nullptr,
                                   CPU_HERE) {
    return cpu::copy(to, from, n, k, s, {file, line});
}
inline cudaError_t cudaMemset(void* p, int v, size_t n, CPU_HERE) { return cpu::fill(p, v, n, nullptr, {file, line}); }
inline cudaError_t cudaMemsetAsync(void* p, int v, size_t n, cudaStream_t s = nullptr, CPU_HERE) {
    return cpu::fill(p, v, n, s, {file, line});
}
template <class T> cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, size_t n, size_t offset = 0,
                                                  cudaMemcpyKind = cudaMemcpyHostToDevice) {
    if (offset + n > sizeof(T)) return cudaErrorInvalidValue;
    memcpy((char*)&symbol + offset, from, n);
    return cudaSuccess;
}
template <class T> cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t n, size_t offset = 0,
                                                    cudaMemcpyKind = cudaMemcpyDeviceToHost) {
    if (offset + n > sizeof(T)) return cudaErrorInvalidValue;
    memcpy(to, (const char*)&symbol + offset, n);
    return cudaSuccess;
}
template <class T> cudaError_t cudaGetSymbolAddress(void** p, const T& symbol) {
    *p = (void*)&symbol;
    return cpu::symbol(&symbol, sizeof(T));
}
