// stream.h: グラフの中身。節を足し、動かすのは graph.cpp、記録するのは stream.cpp。
#pragma once
#include <memory>
#include <vector>

#include "cpu/graph.h"
#include "../exec/exec.h"

struct CUgraphNode_st {
    cudaGraphNodeType type;
    std::shared_ptr<cpu::Operation> operation;
    std::vector<cudaGraphNode_t> before;  // 先に終わる節
};
struct CUgraph_st { std::vector<std::unique_ptr<CUgraphNode_st>> nodes; };
namespace cpu {
void capture(cudaStream_t, std::shared_ptr<Operation>, cudaGraphNodeType);
cudaGraphNode_t addNode(cudaGraph_t, cudaGraphNodeType, std::shared_ptr<Operation>, const cudaGraphNode_t* before,
                        size_t count);
// 節の仕事は、ストリームの仕事と同じように、1 度ずつ最後まで動く
template <class F> std::shared_ptr<Operation> operationOf(const F& f) { return std::make_shared<OperationOf<F>>(f); }
}  // namespace cpu
