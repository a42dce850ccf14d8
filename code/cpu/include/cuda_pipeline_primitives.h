// cuda_pipeline_primitives.h: __pipeline_memcpy_async。写すのはその場で。検査では、待つまで読めない。
#pragma once
#include "cuda_runtime.h"

namespace cpu {
// to があれば、頼んだ。n が 0 なら組を閉じた。ほかは、n 組より前を待った
void toolPipeline(void* pc, size_t n, void* to = nullptr, const void* from = nullptr);
}  // namespace cpu
template <class = void> CPU_NAMED void __pipeline_memcpy_async(void* to, const void* from, size_t n, size_t zeros = 0) {
    for (size_t k = 0; k < n; k += 4) {
        if (k < n - zeros) CPU_TOUCH((const unsigned*)from + k / 4, false);
        CPU_TOUCH((unsigned*)to + k / 4, true);
        ((unsigned*)to)[k / 4] = k < n - zeros ? ((const unsigned*)from)[k / 4] : 0;
    }
    cpu::toolPipeline(CPU_CALLER, n, to, zeros ? nullptr : from);
}
inline void __pipeline_commit() { cpu::toolPipeline(nullptr, 0); }
template <class = void> CPU_NAMED void __pipeline_wait_prior(size_t keep) { cpu::toolPipeline(CPU_CALLER, keep + 1); }
