// replay.cpp: グラフを、動かせる形にして動かす。
#include <algorithm>

#include "stream.h"

using namespace cpu;
struct Step {
    cudaGraphNode_t node;  // 元のグラフの節。何を変えるかを読者が言うのに使う
    cudaGraphNodeType type;
    std::shared_ptr<Operation> operation;
    bool enabled;
};
struct CUgraphExec_st { std::vector<Step> steps; };

namespace cpu {
static void visit(cudaGraphNode_t n, std::vector<cudaGraphNode_t>& sorted) {
    if (std::find(sorted.begin(), sorted.end(), n) != sorted.end()) return;
    for (cudaGraphNode_t b : n->before) visit(b, sorted);
    sorted.push_back(n);
}
std::vector<cudaGraphNode_t> inOrder(const CUgraph_st& g) {
    std::vector<cudaGraphNode_t> sorted;
    for (auto& n : g.nodes) visit(n.get(), sorted);
    return sorted;
}
}  // namespace cpu

static std::vector<Step> stepsOf(const CUgraph_st& g) {
    std::vector<Step> steps;
    for (cudaGraphNode_t n : inOrder(g)) steps.push_back({n, n->type, n->operation, true});
    return steps;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* e, cudaGraph_t g, unsigned long long) {
    if (!g) return remember(cudaErrorInvalidValue);
    *e = new CUgraphExec_st{stepsOf(*g)};
    return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return remember(stickyError()); }
cudaError_t cudaGraphLaunch(cudaGraphExec_t e, cudaStream_t s) {
    if (!e) return remember(cudaErrorInvalidValue);
    auto operation = [steps = e->steps] {
        for (auto& step : steps)
            if (step.enabled) step.operation->run();
    };
    enqueue(s, operation, cudaGraphNodeTypeGraph);
    return remember(stickyError());
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t e) {
    if (!e) return remember(cudaErrorInvalidValue);
    delete e;
    return cudaSuccess;
}

// ---------------------------------------------------------------- 動かせる形のまま変える
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t e, cudaGraph_t g, cudaGraphExecUpdateResultInfo* info) {
    std::vector<Step> steps = stepsOf(*g);
    *info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
    if (steps.size() != e->steps.size()) info->result = cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t k = 0; k < steps.size() && info->result == cudaGraphExecUpdateSuccess; k++)
        if (steps[k].type != e->steps[k].type)
            *info = {cudaGraphExecUpdateErrorNodeTypeChanged, steps[k].node, nullptr};
    if (info->result != cudaGraphExecUpdateSuccess) return remember(cudaErrorGraphExecUpdateFailure);
    e->steps = steps;
    return cudaSuccess;
}
static Step* find(cudaGraphExec_t e, cudaGraphNode_t node) {
    for (auto& s : e->steps)
        if (s.node == node) return &s;
    return nullptr;
}
cudaError_t cpu::change(cudaGraphExec_t e, cudaGraphNode_t node, cudaGraphNodeType type,
                        std::shared_ptr<Operation> operation) {
    Step* s = find(e, node);
    if (!s || s->type != type || !operation) return remember(cudaErrorInvalidValue);
    s->operation = operation;
    return cudaSuccess;
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t e, cudaGraphNode_t node, unsigned enabled) {
    Step* s = find(e, node);
    if (!s) return remember(cudaErrorInvalidValue);
    s->enabled = enabled;
    return cudaSuccess;
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t e, cudaGraphNode_t node, unsigned* enabled) {
    Step* s = find(e, node);
    if (!s) return remember(cudaErrorInvalidValue);
    *enabled = s->enabled;
    return cudaSuccess;
}
