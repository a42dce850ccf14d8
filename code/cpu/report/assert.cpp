// assert.cpp: カーネルの中の assert。GPU と同じ 1 行を書いて、カーネルをやめる。ホストのものは、元のまま。
#include <assert.h>

#include <cstdlib>

#include "../exec/exec.h"

namespace cpu {
[[noreturn]] static void assertion(const char* expression, const char* file, unsigned line, const char* function) {
    if (!here.inKernel) {
        report("%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
        abort();
    }
    const uint3 &b = here.block, &t = threadIdx;
    if (claimReport())
        report("%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line, function, b.x,
               b.y, b.z, t.x, t.y, t.z, expression);
    abortBlock(cudaErrorAssert);
}
}  // namespace cpu

// assert の書き換えた先。C ライブラリのものの代わりに、これが呼ばれる
#ifdef __APPLE__
extern "C" void __assert_rtn(const char* function, const char* file, int line, const char* expression) {
#elif defined(__wasm__)
extern "C" void __assert_fail(const char* expression, const char* file, int line, const char* function) {
#else
extern "C" void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) noexcept {
#endif
    cpu::assertion(expression, file, unsigned(line), function);
}
