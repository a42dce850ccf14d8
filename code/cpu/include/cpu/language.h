// language.h: CUDA C++ の言葉のうち、C++ にないもの。キーワード。
#pragma once
#include <cstddef>
#include <cstdint>

// code/cpu/tools/ の検査のためにコンパイルするとき (CPU_TOOL)、コンパイラはメモリに触れる前に呼び出しを入れる
// (CPU_CHECKED)。検査の道具そのものには、入れない。
// CPU_PLAIN の関数には入れない。CPU_NAMED は、呼ばれた場所を知るために展開しない。
#if defined(__clang__)  // 後のものは、ラムダに付けても無視される。前のものだけでは、アトミック演算に入る
#define CPU_PLAIN __attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation))
#else
#define CPU_PLAIN __attribute__((no_sanitize("thread")))
#endif
#ifdef CPU_CHECKED
// カーネルの中の memcpy なども、触れる範囲を知らせてから動かす (code/cpu/tools/callbacks.h)
#ifdef __APPLE__
#define CPU_LIBRARY(name) asm("___tsan_" #name)
#else
#define CPU_LIBRARY(name) asm("__tsan_" #name)
#endif
extern "C" {
void* memcpy(void*, const void*, size_t) noexcept CPU_LIBRARY(memcpy);
void* memmove(void*, const void*, size_t) noexcept CPU_LIBRARY(memmove);
void* cpu_memcpy(void*, const void*, size_t) noexcept CPU_LIBRARY(memcpy);  // 決まった大きさでも、呼び出しのままになる
void* memset(void*, int, size_t) noexcept CPU_LIBRARY(memset);
void* cpu_memset(void*, int, size_t) noexcept CPU_LIBRARY(memset);
#ifdef __linux__  // ほかの C ライブラリの malloc には、noexcept がない
#define CPU_HEAP(name) noexcept CPU_LIBRARY(name)
#else
#define CPU_HEAP CPU_LIBRARY
#endif
void* malloc(size_t) CPU_HEAP(malloc);  // 検査が、ホストの配列の終わりを知るため
void* calloc(size_t, size_t) CPU_HEAP(calloc);
void* realloc(void*, size_t) CPU_HEAP(realloc);
void free(void*) CPU_HEAP(free);
}
#if defined(__ELF__) && defined(__clang__) && __clang_major__ < 16
// 構造体の写しのために clang が置く memcpy も、同じ関数にする。clang 16 からは、初めからそうなる
asm(".weakref memcpy, __tsan_memcpy\n.weakref memmove, __tsan_memmove\n.weakref memset, __tsan_memset");
#endif
#endif
// いまの関数を呼んだ命令の番地。WebAssembly にはないので、呼ぶ前に番号が置かれている (wasm/lines.js)
#ifdef __wasm__
extern "C" void* cpu_place;
#define CPU_CALLER cpu_place
#else
#define CPU_CALLER __builtin_return_address(0)
#endif
#ifdef CPU_TOOL
#define CPU_NAMED CPU_PLAIN __attribute__((noinline))
#define __global__ __attribute__((noinline))  // 呼び出しを入れない側に展開させない
#else
#define CPU_NAMED CPU_PLAIN inline
#define __global__
#endif

#ifdef __clang__  // __device__ などの変数の、初めの値
#define CPU_CONSTANT_INITIALIZED __attribute__((require_constant_initialization))
#elif __GNUC__ >= 10
#define CPU_CONSTANT_INITIALIZED __constinit
#else
#define CPU_CONSTANT_INITIALIZED
#endif
#define CPU_CONSTANT_LIMIT "__constant__ の変数は、合わせて 65536 バイトまでである: cudaMalloc した所に置く"
#define __host__
#define __device__
#define __constant__
#ifdef __APPLE__
#define __managed__ __attribute__((section("__DATA,cpu_managed")))  // 1 か所に集めて、見分ける (memory.cpp)
#else
#define __managed__ __attribute__((section("cpu_managed")))
#endif
#define __grid_constant__
#define __cluster_dims__(...)
#define __maxnreg__(n)
#define CUDARTAPI
#define CUDART_CB
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
// rewrite が書き換えないもの (関数の外、マクロの中) だけが、これになる
#ifdef __wasm__  // ホストの変数と並ぶので、別の区画に置く (wasm/where.cpp)
#define __shared__ static __attribute__((section("cpu_shared")))
#else
#define __shared__ static thread_local
#endif
