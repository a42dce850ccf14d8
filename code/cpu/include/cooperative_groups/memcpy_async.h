// memcpy_async.h: cg::memcpy_async。組の全員で分けて写す。写し終わるのは wait のとき、と思って使う。
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {
template <class Group, class T> void memcpy_async(const Group& g, T* to, const T* from, size_t bytes) {
    for (size_t i = g.thread_rank(); i < bytes / sizeof(T); i += g.size()) to[i] = from[i];
}
template <class Group> void memcpy_async(const Group& g, void* to, const void* from, size_t bytes) {
    memcpy_async(g, (char*)to, (const char*)from, bytes);
}
template <class Group, class T, class Layout, class FromLayout>  // 個数で言う形: 少ない方だけを写す
void memcpy_async(const Group& g, T* to, const Layout& count, const T* from, const FromLayout& fromCount) {
    memcpy_async(g, to, from, std::min(size_t(count), size_t(fromCount)) * sizeof(T));
}
template <class Group> auto wait(const Group& g, CPU_HERE) { return g.sync(file, line); }
template <unsigned kStages, class Group> auto wait_prior(const Group& g, CPU_HERE) { return g.sync(file, line); }
}  // namespace cooperative_groups
