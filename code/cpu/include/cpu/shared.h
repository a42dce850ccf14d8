// shared.h: 共有メモリと __device__ 変数。rewrite が、宣言をここのマクロに書き換える。
#pragma once
#include "wait.h"

namespace cpu {
// 共有メモリには、前のブロックの値が残っている。0 だと思い込んだ誤りが見えるように、NaN になる値で埋める。
// 埋めるのは、ブロックの中で最初に宣言を通ったスレッド
void fillWithGarbage(void* p, size_t bytes);  // grid.cpp
CPU_PLAIN inline void fillShared(void* p, size_t bytes, uint64_t& filled) {
    if (__builtin_expect(filled >= here.blocks, 1)) return;  // 入れ替わって進むと、後のブロックが先に埋めている
    filled = here.blocks;
    fillWithGarbage(p, bytes);
}
}  // namespace cpu
// rewrite が __shared__ T x[N]; の型に cpu_type_x という名前を付け、宣言をこれに書き換える
#define CPU_SHARED(name, align)                                                                                  \
    static_assert(sizeof(cpu_type_##name) <= 48 * 1024, "静的共有メモリは 48 KiB まで: 大きいものは動的にする"); \
    CPU_PLACE_SHARED(name, align);                                                                               \
    static thread_local uint64_t cpu_filled_##name;                                                              \
    ::cpu::fillShared((void*)&name, sizeof name, cpu_filled_##name)
#define CPU_ELEMENT(T) ::cpu::elementOf((typename std::remove_all_extents<T>::type*)nullptr)
namespace cpu {
struct SharedSite {  // 検査では、名前と大きさの分かる場所に置く
    uint64_t launch;
    size_t offset;
};
#ifdef CPU_TOOL
char* sharedArray(SharedSite*, const char* name, size_t bytes, Element, size_t align);
#else
char* dynamicShared();
CPU_PLAIN inline char* sharedArray(SharedSite*, const char*, size_t, Element, size_t) { return dynamicShared(); }
#endif
// 関数の外の extern __shared__ T x[];。配列と同じように、先頭のポインタになる
template <class T> struct DynamicShared {
    SharedSite* site;
    const char* name;
    Element element;
    CPU_PLAIN operator T*() const { return (T*)sharedArray(site, name, 0, element, 128); }
    template <class U> CPU_PLAIN explicit operator U*() const { return (U*)operator T*(); }
};
}  // namespace cpu
#define CPU_DYNAMIC_SHARED(T, name)           \
    static ::cpu::SharedSite cpu_site_##name; \
    T* name = (T*)::cpu::sharedArray(&cpu_site_##name, #name, 0, CPU_ELEMENT(T), 128)
#define CPU_FILE_DYNAMIC_SHARED(T, name)      \
    static ::cpu::SharedSite cpu_site_##name; \
    static constexpr ::cpu::DynamicShared<T> name { &cpu_site_##name, #name, CPU_ELEMENT(T) }
#ifndef CPU_TOOL
// 1 つのブロックは、始めから終わりまで同じ OS スレッドで動く
#define CPU_PLACE_SHARED(name, align) alignas(align) static thread_local cpu_type_##name name
#else
#define CPU_PLACE_SHARED(name, align)                                                           \
    static ::cpu::SharedSite cpu_site_##name;                                                   \
    struct alignas(align) cpu_align_##name {};                                                  \
    cpu_type_##name& name =                                                                     \
        *(cpu_type_##name*)::cpu::sharedArray(&cpu_site_##name, #name, sizeof(cpu_type_##name), \
                                              CPU_ELEMENT(cpu_type_##name), alignof(cpu_align_##name))
namespace cpu {
// カーネルの return は、rewrite がこれを返すことにする。ここで帰ったレーンは、マスクに入っていてもよい
CPU_PLAIN inline void leaveEarly() { here.leftEarly[here.lane / 32] |= 1u << here.lane % 32; }
// 値を入れていないローカル変数。rewrite が、宣言のすぐ後にこれを置く。配列とクラスは memory の方
template <class T> CPU_PLAIN void setUnset(T& v, Unset& u) {
    const int byte = u.done ? -1 : toolUnset(u);
    if constexpr (std::is_trivially_default_constructible<T>::value && !std::is_const<T>::value)
        if (byte >= 0) memset((void*)&v, byte, sizeof v);
}
template <class T> CPU_PLAIN T unsetValue(Unset& u) {
#if defined(__clang__) && !defined(__wasm__)
    constexpr int kUnset = std::is_floating_point<T>::value ? 0xff : 0xaa;
#else
    constexpr int kUnset = 0xfe;
#endif
    T v;
    memset((void*)&v, kUnset, sizeof v);  // コンパイラが入れるものと同じ (build.mk の UNSET)
    setUnset(v, u);
    if (std::is_same<T, bool>::value) *(char*)&v = *(char*)&v == 0x7e;
    return v;
}
// カーネルの中の new と malloc の前に、rewrite がこれを置く: 道具が、終わりの分かる所に取る。new なら、型も知らせる
void toolHeap(Site, Element);
struct Heap {
    CPU_PLAIN Heap(Site s) { toolHeap(s, {4, false}); }
};
template <class T> CPU_PLAIN T* operator->*(Heap, T* p) { return toolHeap({}, CPU_ELEMENT(T)), p; }
}  // namespace cpu
CPU_PLAIN inline void* operator new(size_t bytes, cpu::Heap) { return ::operator new(bytes); }
CPU_PLAIN inline void* operator new[](size_t bytes, cpu::Heap) { return ::operator new(bytes); }
namespace cpu {

// __device__ 変数の名前と大きさ。rewrite が、宣言のすぐ後にこれを置く。mainの前に作られるので、つなぐだけにする
struct Variable {
    char* p;
    size_t bytes;
    Element element;
    const char* name;
    Site site;
    int constant;  // 1: __constant__、2: 初めの値もない
    Variable* next;
    static inline Variable* first = nullptr;
    template <class T>
    CPU_PLAIN Variable(T& v, const char* name, Site site, int fixed = 0)
        : p((char*)&v), bytes(sizeof(T)), element(CPU_ELEMENT(T)), name(name), site(site), next(first) {
        constant = fixed, first = this;
    }
};
void registerVariables();  // 検査の、配列の一覧に入れる (tools/region.cpp)
template <class T> CPU_PLAIN void know(bool& known, T& v, const char* name, Site site) {  // カーネルの中の static
    if (known) return;
    const Variable all(v, name, site);
    registerVariables();
    known = true;
}
}  // namespace cpu
#define CPU_UNSET(v)                                                          \
    static ::cpu::Unset cpu_unset_##v{{__FILE__, __LINE__}, #v, false, 0, 0}; \
    v = ::cpu::unsetValue<decltype(v)>(cpu_unset_##v)
#define CPU_OWN(v)                                                                \
    [] {                                                                          \
        static ::cpu::Unset cpu_unset_own{{__FILE__, __LINE__}, #v, false, 0, 0}; \
        return ::cpu::unsetValue<decltype(v)>(cpu_unset_own);                     \
    }()
#define CPU_UNSET_MEMORY(v)                                                   \
    static ::cpu::Unset cpu_unset_##v{{__FILE__, __LINE__}, #v, false, 0, 0}; \
    ::cpu::setUnset(v, cpu_unset_##v)
#endif
