// memcpy_async.h: 組の全員で分けて写す cg::memcpy_async と、それを待つ cg::wait。
#pragma once
#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

namespace cooperative_groups {
template <class Group, class To, class From>
__forceinline__ void memcpy_async(const Group& g, To* to, const From* from, size_t bytes) {
    for (size_t k = 4 * g.thread_rank(); k < bytes; k += 4 * g.size())
        if (k + 4 <= bytes) __pipeline_memcpy_async((char*)to + k, (const char*)from + k, 4);
        else memcpy((char*)to + k, (const char*)from + k, bytes - k);
    __pipeline_commit();
}
template <unsigned N, class Group> __forceinline__ void wait_prior(const Group& g, CPU_HERE) {
    __pipeline_wait_prior(N);
    g.sync(file, line);
}
template <class Group> __forceinline__ void wait(const Group& g, CPU_HERE) { wait_prior<0>(g, file, line); }
}  // namespace cooperative_groups
