// stream.h: グラフの中身。足した順の仕事で、先に終わるものは、先に足してある。
// 動かすのは graph.cpp、記録するのは stream.cpp。
#pragma once
#include <memory>
#include <vector>

#include "cpu/graph.h"
#include "../exec/exec.h"

namespace cpu {
using Shared = std::shared_ptr<Operation>;
template <class F> Shared operationOf(const F& f) { return std::make_shared<OperationOf<F>>(f); }
}  // namespace cpu
struct CUgraph_st { std::vector<cpu::Shared> works; };
namespace cpu {
template <class T> cudaError_t destroy(T* x, cudaError_t ifNone) {
    if (!x) return remember(ifNone);
    delete x;
    return cudaSuccess;
}
void capture(cudaStream_t, Shared);
}  // namespace cpu
