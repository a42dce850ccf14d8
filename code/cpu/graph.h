// graph.h: グラフの中身。節を足すのは graph.cpp、動かすのは replay.cpp、記録するのは stream.cpp。
#pragma once
#include <memory>
#include <vector>

#include "cpu/graph.h"
#include "device.h"

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
// 節の仕事。ストリームの仕事と同じように、1 度ずつ最後まで動く
std::shared_ptr<Operation> kernelOperation(const cudaKernelNodeParams&, const Site*);
std::shared_ptr<Operation> copyOperation(const cudaMemcpy3DParms&, Site);
std::shared_ptr<Operation> copyOperation(void* to, const void* from, size_t bytes, cudaMemcpyKind, Site);
std::shared_ptr<Operation> fillOperation(const cudaMemsetParams&, Site);
std::shared_ptr<Operation> hostOperation(const cudaHostNodeParams&);
template <class F> std::shared_ptr<Operation> operationOf(const F& f) { return std::make_shared<OperationOf<F>>(f); }
inline std::shared_ptr<Operation> nothing() {
    return operationOf([] {});
}
}  // namespace cpu
