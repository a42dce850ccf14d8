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
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaMemAttachSingle = 4,
};
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
namespace cpu {
struct Site {
    const char* file;
    int line;
};  // .cu の中の場所
const Site* place(const char* file, int line);
// host と registered はホストの、variable は __device__ の変数で、none は知らない所
enum class Memory { none, device, variable, host, registered, managed, managedVariable };
struct Element {
    size_t bytes;
    bool isFloat;
};  // 配列の要素。報告で「何番目」と言うために知っておく
template <class T> constexpr Element elementOf(const T*) { return {sizeof(T), std::is_floating_point<T>::value}; }
constexpr Element elementOf(const void*) { return {1, false}; }
cudaError_t allocate(void** p, size_t bytes, Memory kind, const char* name, Element, Site);
cudaError_t release(void* p, Memory kind, Site);
void calledFrom(Site);  // いま確保したのは、この行のためである。確保を包む関数が、包まれた行を言う
// 箱 (行の始めと始めの間が pitch、面と面の間が pitch * ysize) を写し、bytes バイトの値で埋める
cudaError_t copyBox(cudaPitchedPtr to, cudaPitchedPtr from, cudaExtent, cudaMemcpyKind, cudaStream_t, Site);
cudaError_t fillBox(cudaPitchedPtr, unsigned value, size_t bytes, cudaExtent, cudaStream_t, Site);
inline cudaError_t copy(void* to, const void* from, size_t n, cudaMemcpyKind k, cudaStream_t s, Site site) {
    return copyBox({to, n, n, 1}, {(void*)from, n, n, 1}, {n, 1, 1}, k, s, site);
}
inline cudaError_t fill(void* p, int value, size_t n, cudaStream_t s, Site site) {
    return fillBox({p, n, n, 1}, unsigned(value), 1, {n, 1, 1}, s, site);
}
struct Room { size_t to, from; };  // ホストの配列の、ここから終わりまで
cudaError_t copyLinear(Room, void* to, const void* from, size_t bytes, cudaMemcpyKind, bool wait, cudaStream_t, Site);
// __device__ 変数を、カーネルに渡してよいものとして登録する。end: ここまで写す
cudaError_t symbol(const void* address, size_t bytes, size_t end = 0, Site = {});
template <class T>
cudaError_t copyToSymbol(const T& to, const void* from, size_t n, size_t at, cudaMemcpyKind k, cudaStream_t s,
                         Site site) {
    const cudaError_t e = symbol(&to, sizeof(T), at + n, site);
    return e ? e : copy((char*)&to + at, from, n, k, s, site);
}
template <class T>
cudaError_t copyFromSymbol(void* to, const T& from, size_t n, size_t at, cudaMemcpyKind k, cudaStream_t s, Site site) {
    const cudaError_t e = symbol(&from, sizeof(T), at + n, site);
    return e ? e : copy(to, (const char*)&from + at, n, k, s, site);
}
}  // namespace cpu
#define CPU_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
// 変数の名前を報告に使うので、確保する関数だけはマクロにする
#define cudaMalloc(p, ...) \
    ::cpu::allocateAs((p), ::cpu::firstArgumentOnly(__VA_ARGS__), ::cpu::Memory::device, #p, {__FILE__, __LINE__})
#define cudaMallocManaged(p, ...) \
    ::cpu::allocateAs((p), ::cpu::firstArgument(__VA_ARGS__), ::cpu::Memory::managed, #p, {__FILE__, __LINE__})
#define cudaMallocHost(p, ...) \
    ::cpu::allocateAs((p), ::cpu::firstArgument(__VA_ARGS__), ::cpu::Memory::host, #p, {__FILE__, __LINE__})
#define cudaHostAlloc(p, ...) \
    ::cpu::allocateAs((p), ::cpu::firstArgument(__VA_ARGS__), ::cpu::Memory::host, #p, {__FILE__, __LINE__})
namespace cpu {
template <class T> size_t firstArgumentOnly(T n) { return n; }
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
    return cpu::copyLinear({CPU_ROOM(to), CPU_ROOM(from)}, to, from, n, k, true, nullptr, {file, line});
}
__attribute__((always_inline)) inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t n,
                                                                  cudaMemcpyKind k, cudaStream_t s = nullptr,
                                                                  CPU_HERE) {
    return cpu::copyLinear({CPU_ROOM(to), CPU_ROOM(from)}, to, from, n, k, false, s, {file, line});
}
template <class T> cudaError_t cudaGetSymbolAddress(void** p, const T& symbol) {
    *p = (void*)&symbol;
    return cpu::symbol(&symbol, sizeof(T));
}
template <class T> cudaError_t cudaGetSymbolSize(size_t* bytes, const T&) { return cpu::answer(bytes, sizeof(T)); }

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
inline cudaError_t allocateExtent(cudaPitchedPtr* p, cudaExtent e, const char* name, Site site) {
    *p = {nullptr, 0, e.width, e.height};
    return allocateRows((char**)&p->ptr, &p->pitch, e.width, e.height * e.depth, name, site);
}
cudaError_t copyExtent(const cudaMemcpy3DParms*, cudaStream_t, Site);
}  // namespace cpu
#define cudaMallocPitch(p, ...) ::cpu::allocateRows((p), __VA_ARGS__, #p, ::cpu::Site{__FILE__, __LINE__})
#define cudaMalloc3D(p, ...) ::cpu::allocateExtent((p), __VA_ARGS__, #p, {__FILE__, __LINE__})
// 待つものと、ストリームの順に動くもの (Async)
#define CPU_BOTH(prefix, name, call, ...)                                                                   \
    prefix inline cudaError_t name##Async(__VA_ARGS__, cudaStream_t s = nullptr, CPU_HERE) { return call; } \
    prefix inline cudaError_t name(__VA_ARGS__, CPU_HERE) {                                                 \
        const cudaStream_t s = nullptr;                                                                     \
        return call;                                                                                        \
    }
CPU_BOTH(, cudaMemset, cpu::fill(p, v, n, s, {file, line}), void* p, int v, size_t n)
CPU_BOTH(, cudaMemcpy2D,
         cpu::copyBox({to, toPitch, w, h}, {(void*)from, fromPitch, w, h}, {w, h, 1}, k, s, {file, line}), void* to,
         size_t toPitch, const void* from, size_t fromPitch, size_t w, size_t h, cudaMemcpyKind k)
CPU_BOTH(, cudaMemcpy3D, cpu::copyExtent(p, s, {file, line}), const cudaMemcpy3DParms* p)
CPU_BOTH(, cudaMemcpyPeer, cpu::copy(to, from, n, cudaMemcpyDeviceToDevice, s, {file, line}), void* to, int,
         const void* from, int, size_t n)
CPU_BOTH(, cudaMemset2D, cpu::fillBox({p, pitch, w, h}, unsigned(v), 1, {w, h, 1}, s, {file, line}), void* p,
         size_t pitch, int v, size_t w, size_t h)
CPU_BOTH(, cudaMemset3D, cpu::fillBox(p, unsigned(v), 1, e, s, {file, line}), cudaPitchedPtr p, int v, cudaExtent e)
CPU_BOTH(template <class T>, cudaMemcpyToSymbol, cpu::copyToSymbol(to, from, n, at, k, s, {file, line}), const T& to,
         const void* from, size_t n, size_t at = 0, cudaMemcpyKind k = cudaMemcpyHostToDevice)
CPU_BOTH(template <class T>, cudaMemcpyFromSymbol, cpu::copyFromSymbol(to, from, n, at, k, s, {file, line}), void* to,
         const T& from, size_t n, size_t at = 0, cudaMemcpyKind k = cudaMemcpyDeviceToHost)
#undef CPU_BOTH
