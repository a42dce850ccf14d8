// cuda_pipeline_primitives.h: __pipeline_memcpy_async。写すのはその場で。検査だけが、届くのを待ったかを見る。
#pragma once
#include "cuda_runtime.h"

namespace cpu {
void toolAsync(const void* to, unsigned bytes, void* pc);
void toolCommit();
void toolWaitPrior(size_t batches);
}  // namespace cpu
CPU_NAMED void __pipeline_memcpy_async(void* to, const void* from, size_t n, size_t zeros = 0) {
#ifdef CPU_TOOL
    if (zeros < n) cpu::toolAccess(from, zeros ? 4 : unsigned(n), false, CPU_CALLER);
    cpu::toolAccess(to, unsigned(n), true, CPU_CALLER);
    cpu::toolAsync(to, unsigned(n), CPU_CALLER);
#endif
    for (size_t k = 0; k < n; k += 4) ((unsigned*)to)[k / 4] = k < n - zeros ? ((const unsigned*)from)[k / 4] : 0;
}
CPU_PLAIN inline void __pipeline_commit() { cpu::toolCommit(); }
CPU_PLAIN inline void __pipeline_wait_prior(size_t batches) { cpu::toolWaitPrior(batches); }
