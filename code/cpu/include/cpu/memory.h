// memory.h: デバイスのメモリ、ホストの固定メモリ、マネージドメモリ。写す、埋める。
#pragma once
#include <cstring>
#include <type_traits>

#include "error.h"

typedef struct CUstream_st* cudaStream_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum {
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaHostRegisterIoMemory = 4,
    cudaHostRegisterReadOnly = 8,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaMemAttachSingle = 4,
};
namespace cpu {
cudaError_t remember(cudaError_t);  // cudaGetLastError() のために覚えて、そのまま返す
struct Site {
    const char* file;
    int line;
};  // .cu の中の場所
const Site* place(const char* file, int line);
enum class Memory { device, host, managed, graph };  // graph: グラフが持つ。読者が返しても残る
struct Element {
    size_t bytes;
    bool isFloat;
};  // 配列の要素。報告で「何番目」と言うために知っておく
template <class T> constexpr Element elementOf(const T*) { return {sizeof(T), std::is_floating_point<T>::value}; }
constexpr Element elementOf(const void*) { return {1, false}; }
cudaError_t allocate(void** p, size_t bytes, Memory kind, const char* name, Element, Site);
cudaError_t release(void* p, Memory kind, Site);
void calledFrom(Site);  // いま確保したのは、この行のためである。確保を包む関数が、包まれた行を言う
cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t, Site);
bool fits(const void* to, size_t toRoom, const void* from, size_t fromRoom, size_t bytes, Site);
cudaError_t copyAndWait(void* to, const void* from, size_t bytes, cudaMemcpyKind, Site);
cudaError_t copyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t, Site);
cudaError_t fill(void* p, int value, size_t bytes, cudaStream_t, Site);
// __device__ 変数を、カーネルに渡してよいものとして登録する。end: ここまで写す
cudaError_t symbol(const void* address, size_t bytes, size_t end = 0, Site = {});
cudaError_t copyRows(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height,
                     cudaMemcpyKind, cudaStream_t, Site);
cudaError_t fillRows(void* p, size_t pitch, int value, size_t width, size_t height, cudaStream_t, Site);
}  // namespace cpu
#define CPU_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
// 変数の名前を報告に使うので、確保する関数だけはマクロにする
#define cudaMalloc(p, ...) \
    ::cpu::allocateAs((p), ::cpu::firstArgument(__VA_ARGS__), ::cpu::Memory::device, #p, {__FILE__, __LINE__})
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
inline cudaError_t cudaFreeHost(void* p, CPU_HERE) { return cpu::release(p, cpu::Memory::host, {file, line}); }
// ホストの配列の大きさを、コンパイラが知っていれば、コピーの前に比べる
#if defined(__clang__) || __GNUC__ >= 12
#define CPU_ROOM(p) __builtin_dynamic_object_size((p), 0)
#else
#define CPU_ROOM(p) __builtin_object_size((p), 0)
#endif
__attribute__((always_inline)) inline cudaError_t cudaMemcpy(void* to, const void* from, size_t n, cudaMemcpyKind k,
                                                             CPU_HERE) {
    if (!cpu::fits(to, CPU_ROOM(to), from, CPU_ROOM(from), n, {file, line}))
        return cpu::remember(cudaErrorInvalidValue);
    return cpu::copyAndWait(to, from, n, k, {file, line});
}
__attribute__((always_inline)) inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t n,
                                                                  cudaMemcpyKind k, cudaStream_t s = nullptr,
                                                                  CPU_HERE) {
    if (!cpu::fits(to, CPU_ROOM(to), from, CPU_ROOM(from), n, {file, line}))
        return cpu::remember(cudaErrorInvalidValue);
    return cpu::copyAsync(to, from, n, k, s, {file, line});
}
inline cudaError_t cudaMemset(void* p, int v, size_t n, CPU_HERE) { return cpu::fill(p, v, n, nullptr, {file, line}); }
inline cudaError_t cudaMemsetAsync(void* p, int v, size_t n, cudaStream_t s = nullptr, CPU_HERE) {
    return cpu::fill(p, v, n, s, {file, line});
}
template <class T> cudaError_t cudaMemcpyToSymbolAsync(const T& to, const void* from, size_t n, size_t offset = 0,
                                                       cudaMemcpyKind k = cudaMemcpyHostToDevice,
                                                       cudaStream_t s = nullptr, CPU_HERE) {
    if (const cudaError_t e = cpu::symbol(&to, sizeof(T), offset + n, {file, line})) return e;
    return cpu::copy((char*)&to + offset, from, n, k, s, {file, line});
}
template <class T> cudaError_t cudaMemcpyToSymbol(const T& to, const void* from, size_t n, size_t offset = 0,
                                                  cudaMemcpyKind k = cudaMemcpyHostToDevice, CPU_HERE) {
    return cudaMemcpyToSymbolAsync(to, from, n, offset, k, nullptr, file, line);
}
template <class T> cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& from, size_t n, size_t offset = 0,
                                                         cudaMemcpyKind k = cudaMemcpyDeviceToHost,
                                                         cudaStream_t s = nullptr, CPU_HERE) {
    if (const cudaError_t e = cpu::symbol(&from, sizeof(T), offset + n, {file, line})) return e;
    return cpu::copy(to, (const char*)&from + offset, n, k, s, {file, line});
}
template <class T> cudaError_t cudaMemcpyFromSymbol(void* to, const T& from, size_t n, size_t offset = 0,
                                                    cudaMemcpyKind k = cudaMemcpyDeviceToHost, CPU_HERE) {
    return cudaMemcpyFromSymbolAsync(to, from, n, offset, k, nullptr, file, line);
}
template <class T> cudaError_t cudaGetSymbolAddress(void** p, const T& symbol) {
    *p = (void*)&symbol;
    return cpu::symbol(&symbol, sizeof(T));
}
template <class T> cudaError_t cudaGetSymbolSize(size_t* bytes, const T&) {
    *bytes = sizeof(T);
    return cudaSuccess;
}

// ---------------------------------------------------------------- 2 次元と 3 次元
struct cudaPitchedPtr {
    void* ptr;
    size_t pitch, xsize, ysize;
};
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaMemcpy3DParms {
    void* srcArray;  // テクスチャのための配列は、CPU デバイスにはない
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    void* dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
inline cudaPitchedPtr make_cudaPitchedPtr(void* p, size_t pitch, size_t x, size_t y) { return {p, pitch, x, y}; }
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) { return {width, height, depth}; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
namespace cpu {
constexpr size_t kPitch = 512;  // 行の始めをそろえる幅
template <class T> cudaError_t allocateRows(T** p, size_t* pitch, size_t width, size_t height, const char* name,
                                            Site site) {
    *pitch = (width + kPitch - 1) / kPitch * kPitch;
    return allocateAs(p, *pitch * height, Memory::device, name, site);
}
cudaError_t allocateExtent(cudaPitchedPtr*, cudaExtent, const char* name, Site);
cudaError_t copyExtent(const cudaMemcpy3DParms*, cudaStream_t, Site);
cudaError_t fillExtent(cudaPitchedPtr, int value, cudaExtent, cudaStream_t, Site);
}  // namespace cpu
#define cudaMallocPitch(p, ...) ::cpu::allocateRows((p), __VA_ARGS__, #p, ::cpu::Site{__FILE__, __LINE__})
#define cudaMalloc3D(p, ...) ::cpu::allocateExtent((p), __VA_ARGS__, #p, {__FILE__, __LINE__})
// 待つものと、ストリームの順に動くもの (Async)
#define CPU_BOTH(name, call, ...)                                                                    \
    inline cudaError_t name##Async(__VA_ARGS__, cudaStream_t s = nullptr, CPU_HERE) { return call; } \
    inline cudaError_t name(__VA_ARGS__, CPU_HERE) {                                                 \
        const cudaStream_t s = nullptr;                                                              \
        return call;                                                                                 \
    }
CPU_BOTH(cudaMemcpy2D, cpu::copyRows(to, toPitch, from, fromPitch, width, height, k, s, {file, line}), void* to,
         size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height, cudaMemcpyKind k)
CPU_BOTH(cudaMemcpy3D, cpu::copyExtent(p, s, {file, line}), const cudaMemcpy3DParms* p)
CPU_BOTH(cudaMemcpyPeer, cpu::copy(to, from, n, cudaMemcpyDeviceToDevice, s, {file, line}), void* to, int,
         const void* from, int, size_t n)
CPU_BOTH(cudaMemset2D, cpu::fillRows(p, pitch, v, width, height, s, {file, line}), void* p, size_t pitch, int v,
         size_t width, size_t height)
CPU_BOTH(cudaMemset3D, cpu::fillExtent(p, v, e, s, {file, line}), cudaPitchedPtr p, int v, cudaExtent e)
#undef CPU_BOTH
