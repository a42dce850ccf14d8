// stream.h: グラフの中身。節を足し、動かすのは graph.cpp、記録するのは stream.cpp。
#pragma once
#include <memory>
#include <vector>

#include "cpu/graph.h"
#include "../exec/exec.h"

namespace cpu {
using Shared = std::shared_ptr<Operation>;  // 節の仕事
template <class F> Shared operationOf(const F& f) { return std::make_shared<OperationOf<F>>(f); }
}  // namespace cpu
struct CUgraphNode_st {
    cudaGraphNodeType type;
    cpu::Shared work;
    std::vector<cudaGraphNode_t> before;  // 先に終わる節
};
struct CUgraph_st { std::vector<std::unique_ptr<CUgraphNode_st>> nodes; };
namespace cpu {
template <class T> cudaError_t destroy(T* x, cudaError_t ifNone) {
    if (!x) return remember(ifNone);
    delete x;
    return cudaSuccess;
}
void capture(cudaStream_t, Shared, cudaGraphNodeType);
cudaGraphNode_t addNode(cudaGraph_t, cudaGraphNodeType, Shared, const cudaGraphNode_t* before, size_t count);
}  // namespace cpu
