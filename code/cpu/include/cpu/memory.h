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
    uint8_t holes = 0;  // メンバの間が空いているかもしれない構造体なら、揃える大きさ
};  // 配列の要素。報告で「何番目」と言うために知っておく
template <class T, size_t bytes = sizeof(T)> constexpr Element elementOf(const T*) {
    return {bytes, std::is_floating_point<T>::value,
            uint8_t(std::is_class<T>::value && alignof(T) < bytes ? alignof(T) : 0)};
}
constexpr Element elementOf(const volatile void*) { return {1, false}; }
cudaError_t allocate(void** p, size_t bytes, Memory kind, const char* name, Element, Site);
cudaError_t release(void* p, Memory kind, Site);
void calledFrom(Site);  // いま確保したのは、この行のためである。確保を包む関数が、包まれた行を言う
struct Rows {  // 行の始めと始めの間が pitch
    void* p;
    size_t pitch;
};
cudaError_t copyRows(Rows to, Rows from, size_t width, size_t height, cudaMemcpyKind, cudaStream_t, Site);
cudaError_t fillRows(Rows, int value, size_t width, size_t height, cudaStream_t, Site);
inline cudaError_t copy(void* to, const void* from, size_t n, cudaMemcpyKind k, cudaStream_t s, Site site) {
    return copyRows({to, n}, {(void*)from, n}, n, 1, k, s, site);
}
cudaError_t waitIf(bool wait, cudaError_t);  // ホストは、仕事の終わりを待ったか
struct Room { size_t to, from; };  // ホストの配列の、ここから終わりまで
cudaError_t copyLinear(Room, void* to, const void* from, size_t bytes, cudaMemcpyKind, bool wait, cudaStream_t, Site);
// __device__ 変数を、カーネルに渡してよいものとして登録する。end: ここまで写す
cudaError_t symbol(const void* address, size_t bytes, size_t end = 0, Site = {});
template <class T>
cudaError_t copyToSymbol(const T& to, const void* from, size_t n, size_t at, cudaMemcpyKind k, cudaStream_t s,
                         Site site) {
    const cudaError_t e = symbol((void*)&to, sizeof(T), at + n, site);
    return e ? e : copy((char*)&to + at, from, n, k, s, site);
}
template <class T>
cudaError_t copyFromSymbol(void* to, const T& from, size_t n, size_t at, cudaMemcpyKind k, cudaStream_t s, Site site) {
    const cudaError_t e = symbol((void*)&from, sizeof(T), at + n, site);
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
#define cudaHostAlloc cudaMallocHost
namespace cpu {
template <class T> size_t firstArgumentOnly(T n) { return n; }
template <class... Rest> size_t firstArgument(size_t n, Rest...) { return n; }
template <class T> cudaError_t allocateAs(T** p, size_t bytes, Memory kind, const char* name, Site site) {
    return allocate((void**)p, bytes, kind, name, elementOf(*p), site);
}
}  // namespace cpu
inline cudaError_t cudaFree(void* p, CPU_HERE) { return cpu::release(p, cpu::Memory::device, {file, line}); }
inline cudaError_t cudaFreeHost(void* p, CPU_HERE) { return cpu::release(p, cpu::Memory::host, {file, line}); }
cudaError_t cudaDeviceReset(CPU_HERE);
cudaError_t cudaDeviceSynchronize(CPU_HERE);
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
    return cpu::symbol(*p, sizeof(T));
}
template <class T> cudaError_t cudaGetSymbolSize(size_t* bytes, const T&) { return cpu::answer(bytes, sizeof(T)); }

namespace cpu {
void rowsOf(void* p, size_t pitch, size_t width);  // p は、行の並びである
constexpr size_t kPitch = 512;  // 行の始めをそろえる幅
template <class T> cudaError_t allocateRows(T** p, size_t* pitch, size_t width, size_t height, const char* name,
                                            Site site) {
    *pitch = (width + kPitch - 1) / kPitch * kPitch;
    const cudaError_t e = allocateAs(p, *pitch * height, Memory::device, name, site);
    if (e == cudaSuccess) rowsOf(*p, *pitch, width);
    return e;
}
}  // namespace cpu
#define cudaMallocPitch(p, ...) ::cpu::allocateRows((p), __VA_ARGS__, #p, ::cpu::Site{__FILE__, __LINE__})
// 待つものと、ストリームの順に動くもの (Async)
#define CPU_BOTH(prefix, name, call, ...)                                                                   \
    prefix inline cudaError_t name##Async(__VA_ARGS__, cudaStream_t s = nullptr, CPU_HERE) { return call; } \
    prefix inline cudaError_t name(__VA_ARGS__, CPU_HERE) {                                                 \
        const cudaStream_t s = nullptr;                                                                     \
        return ::cpu::waitIf(!strncmp(#name, "cudaMemcpy", 10), call);                                      \
    }
CPU_BOTH(, cudaMemset, cpu::fillRows({p, n}, v, n, 1, s, {file, line}), void* p, int v, size_t n)
CPU_BOTH(, cudaMemcpy2D, cpu::copyRows({to, toPitch}, {(void*)from, fromPitch}, w, h, k, s, {file, line}), void* to,
         size_t toPitch, const void* from, size_t fromPitch, size_t w, size_t h, cudaMemcpyKind k)
CPU_BOTH(, cudaMemcpyPeer, cpu::copy(to, from, n, cudaMemcpyDeviceToDevice, s, {file, line}), void* to, int,
         const void* from, int, size_t n)
CPU_BOTH(, cudaMemset2D, cpu::fillRows({p, pitch}, v, w, h, s, {file, line}), void* p, size_t pitch, int v, size_t w,
         size_t h)
CPU_BOTH(template <class T>, cudaMemcpyToSymbol, cpu::copyToSymbol(to, from, n, at, k, s, {file, line}), const T& to,
         const void* from, size_t n, size_t at = 0, cudaMemcpyKind k = cudaMemcpyHostToDevice)
CPU_BOTH(template <class T>, cudaMemcpyFromSymbol, cpu::copyFromSymbol(to, from, n, at, k, s, {file, line}), void* to,
         const T& from, size_t n, size_t at = 0, cudaMemcpyKind k = cudaMemcpyDeviceToHost)
#undef CPU_BOTH
