// throw.cpp: 例外は使えない。投げる代わりに、理由を言って止まる。
// new と delete もここで決める: 標準のものは、投げる例外の型のために、型を調べる道具まで連れてくる。
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

[[noreturn]] static void stop(const char* why) {
    fflush(stdout);
    fprintf(stderr, "%s\n", why);
    exit(2);
}
[[noreturn]] static void stopThrown() { stop("例外が投げられた: ページの中では受け取れないので、ここで終わる"); }
static const char* const kOutOfMemory = "メモリが足りない: N を小さくする。new や malloc を繰り返しているなら、返す";
// ほかにあれば (検査や、読者のもの)、そちらを使う。new[] などは、標準のものが、ここを呼ぶ
#define WEAK __attribute__((weak)) void
WEAK* operator new(size_t bytes, std::align_val_t alignment) {
    const size_t unit = size_t(alignment);
    void* p = aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
    if (!p) stop(kOutOfMemory);
    return p;
}
WEAK* operator new(size_t bytes) { return operator new(bytes, std::align_val_t(alignof(max_align_t))); }
WEAK operator delete(void* p) noexcept { free(p); }
WEAK operator delete(void* p, std::align_val_t) noexcept { free(p); }

// 標準ライブラリが投げるもの。文は型の名前で始まる。長すぎる配列は、メモリが足りないのと同じ
_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char* format, ...) noexcept {
    if (!strncmp(format, "length_error", 12) || !strncmp(format, "bad_", 4)) stop(kOutOfMemory);
    stopThrown();
}
_LIBCPP_END_NAMESPACE_STD
extern "C" {
void* __cxa_allocate_exception(size_t) { stopThrown(); }
void __cxa_throw(void*, void*, void (*)(void*)) { stopThrown(); }
}
