// stream.h: グラフの中身。節を足すのは graph.cpp、動かすのは replay.cpp、記録するのは stream.cpp。
#pragma once
#include <memory>
#include <vector>

#include "cpu/graph.h"
#include "../exec/exec.h"

struct CUgraphNode_st {
    cudaGraphNodeType type;
    std::shared_ptr<cpu::Operation> operation;
    std::vector<cudaGraphNode_t> before;  // 先に終わる節
    cudaGraphNode_t original;             // 写しなら、写した元
    cudaKernelNodeParams kernel;
};
struct CUgraph_st { std::vector<std::unique_ptr<CUgraphNode_st>> nodes; };
namespace cpu {
void capture(cudaStream_t, std::shared_ptr<Operation>, cudaGraphNodeType);
cudaGraphNode_t addNode(cudaGraph_t, cudaGraphNodeType, std::shared_ptr<Operation>, const cudaGraphNode_t* before,
                        size_t count);
std::vector<cudaGraphNode_t> inOrder(const CUgraph_st&);  // どの節も、先に終わる節より後に並べたもの
// 動かせる形の節の仕事を、同じ種類の別のものにする
cudaError_t change(cudaGraphExec_t, cudaGraphNode_t, cudaGraphNodeType, std::shared_ptr<Operation>);
// 節の仕事は、ストリームの仕事と同じように、1 度ずつ最後まで動く
template <class F> std::shared_ptr<Operation> operationOf(const F& f) { return std::make_shared<OperationOf<F>>(f); }
inline std::shared_ptr<Operation> nothing() {
    return operationOf([] {});
}
}  // namespace cpu
