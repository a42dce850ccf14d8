// shared.h: 共有メモリと __device__ 変数。rewrite が、宣言をここのマクロに書き換える。
#pragma once
#include <cstring>
#include <type_traits>

#include "wait.h"

#ifndef CPU_TOOL
namespace cpu {
char* dynamicShared();
}  // namespace cpu
#define CPU_DYNAMIC_SHARED(T, name) T* name = (T*)::cpu::dynamicShared()
#else
// 検査では、共有メモリの配列も名前と大きさの分かる場所に置く。rewrite が __shared__ T x[N]; をこれに書き換える
namespace cpu {
struct SharedSite {
    uint64_t launch;
    size_t offset;
};
char* sharedArray(SharedSite*, const char* name, size_t bytes, Element, size_t align);

// __device__ 変数の名前と大きさ。rewrite が、宣言のすぐ後にこれを置く。mainの前に作られるので、つなぐだけにする
struct Variable {
    char* p;
    size_t bytes;
    Element element;
    const char* name;
    Site site;
    Variable* next;
    static inline Variable* first = nullptr;
    template <class T> Variable(T& v, const char* name, Site site)
        : p((char*)&v),
          bytes(sizeof(T)),
          element(elementOf((typename std::remove_all_extents<T>::type*)nullptr)),
          name(name),
          site(site),
          next(first) {
        first = this;
    }
};
}  // namespace cpu
#define CPU_DYNAMIC_SHARED(T, name)           \
    static ::cpu::SharedSite cpu_site_##name; \
    T* name = (T*)::cpu::sharedArray(&cpu_site_##name, #name, 0, ::cpu::elementOf((T*)nullptr), 128)
#define CPU_SHARED(T, name, ...)                                                                                    \
    static ::cpu::SharedSite cpu_site_##name;                                                                       \
    auto& name =                                                                                                    \
        *(typename std::remove_reference<T(&) __VA_ARGS__>::type*)::cpu::sharedArray(&cpu_site_##name, #name,       \
                                                                                     sizeof(T __VA_ARGS__),         \
                                                                                     ::cpu::elementOf((T*)nullptr), \
                                                                                     alignof(T))
#endif
