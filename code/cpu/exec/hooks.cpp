// hooks.cpp: 検査の道具をつながないとき。部品は 1 度だけコンパイルすればよい。
#include <cstdlib>

#include "../device/device.h"
#include "../tools/tool.h"

namespace cpu {
#define CPU_HOOK(declaration, ...) __attribute__((weak)) declaration __VA_ARGS__
#include "../tools/hooks.h"
#undef CPU_HOOK
}  // namespace cpu
extern "C" {  // ホストの malloc (cpu/language.h)
__attribute__((weak)) void* __tsan_malloc(size_t n) { return malloc(n); }
__attribute__((weak)) void* __tsan_calloc(size_t n, size_t bytes) { return calloc(n, bytes); }
__attribute__((weak)) void* __tsan_realloc(void* p, size_t n) { return realloc(p, n); }
__attribute__((weak)) void __tsan_free(void* p) { free(p); }
}
