// graph.cpp: グラフを、節を足して作り、動かせる形にして動かす。
#include "stream.h"

#include <algorithm>

#include "../tools/tool.h"

using namespace cpu;
struct Step {
    cudaGraphNode_t node;
    cudaGraphNodeType type;
    Shared work;
};
struct CUgraphExec_st { std::vector<Step> steps; };

namespace cpu {
cudaGraphNode_t addNode(cudaGraph_t g, cudaGraphNodeType type, Shared work, const cudaGraphNode_t* before,
                        size_t count) {
    g->nodes.emplace_back(new CUgraphNode_st{type, work, {before, before + count}});
    return g->nodes.back().get();
}

// ---------------------------------------------------------------- 節の仕事。作れなければ nullptr
static Shared workOf(const cudaKernelNodeParams& p, Site site) {
    Launch l{place(site.file, site.line), "", p.gridDim, p.blockDim, p.sharedMemBytes, nullptr};
    l.name = kernelName(p.func);
    return Shared(kernelCall(l, p.func, p.kernelParams));
}
static Shared workOf(const cudaMemcpy3DParms& p, Site site) {
    return operationOf([p, site] { copyExtent(&p, nullptr, site); });
}
static Shared workOf(const cudaMemsetParams& p, Site site) {
    if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4) return nullptr;
    const size_t width = p.width * p.elementSize, pitch = p.height > 1 ? p.pitch : width;
    return operationOf([=] {
        fillBox({p.dst, pitch, width, p.height}, p.value, p.elementSize, {width, p.height, 1}, nullptr, site);
    });
}
static Shared workOf(const cudaHostNodeParams& p, Site) {
    return operationOf([p] { p.fn(p.userData); });
}

// ---------------------------------------------------------------- グラフが持つメモリ: 記録中に確保したもの
// アドレスは節を足したときに決まり、グラフと、それから作った実行形がすべてなくなるまで返さない
void captureMemory(cudaStream_t s, void* p) {
    const std::shared_ptr<void> memory(p, [](void* p) { release(p, Memory::graph, {"", 0}); });
    capture(s, operationOf([memory] {}), cudaGraphNodeTypeMemAlloc);
}
cudaError_t captureFree(cudaStream_t s) {
    capture(s, operationOf([] {}), cudaGraphNodeTypeMemFree);
    return cudaSuccess;
}
}  // namespace cpu

cudaError_t cudaGraphCreate(cudaGraph_t* g, unsigned) { return answer(g, new CUgraph_st); }
cudaError_t cudaGraphDestroy(cudaGraph_t g) { return destroy(g, cudaErrorInvalidValue); }
cudaError_t cudaGraphClone(cudaGraph_t* to, cudaGraph_t from) {
    *to = new CUgraph_st;
    const auto number = [&](cudaGraphNode_t node) {
        return std::find_if(from->nodes.begin(), from->nodes.end(), [&](auto& n) { return n.get() == node; }) -
               from->nodes.begin();
    };
    for (auto& n : from->nodes) (*to)->nodes.emplace_back(new CUgraphNode_st(*n));
    for (auto& n : (*to)->nodes)
        for (auto& b : n->before) b = (*to)->nodes[number(b)].get();
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t* nodes, size_t* count) {
    for (size_t k = 0; nodes && k < std::min(*count, g->nodes.size()); k++) nodes[k] = g->nodes[k].get();
    *count = nodes ? std::min(*count, g->nodes.size()) : g->nodes.size();
    return cudaSuccess;
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData*, size_t count) {
    for (size_t k = 0; k < count; k++) to[k]->before.push_back(from[k]);
    return cudaSuccess;
}

// ---------------------------------------------------------------- 節を足す
#define NODE cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *before, size_t count
#define CPU_NODE(Kind, Parameters, error)                                                         \
    cudaError_t cudaGraphAdd##Kind##Node(NODE, const Parameters* p, const char* file, int line) { \
        const auto work = workOf(*p, {file, line});                                               \
        if (!work) return remember(error);                                                        \
        return answer(node, addNode(g, cudaGraphNodeType##Kind, work, before, count));            \
    }
CPU_NODE(Kernel, cudaKernelNodeParams, cudaErrorInvalidDeviceFunction)
CPU_NODE(Memcpy, cudaMemcpy3DParms, cudaErrorInvalidValue)
CPU_NODE(Memset, cudaMemsetParams, cudaErrorInvalidValue)
CPU_NODE(Host, cudaHostNodeParams, cudaErrorInvalidValue)
cudaError_t cudaGraphAddMemcpyNode1D(NODE, void* to, const void* from, size_t n, cudaMemcpyKind k, const char* file,
                                     int line) {
    const auto work = [=] { copy(to, from, n, k, nullptr, {file, line}); };
    return answer(node, addNode(g, cudaGraphNodeTypeMemcpy, operationOf(work), before, count));
}
cudaError_t cudaGraphAddEmptyNode(NODE) {
    return answer(node, addNode(g, cudaGraphNodeTypeEmpty, operationOf([] {}), before, count));
}

// ---------------------------------------------------------------- 動かす
static void visit(cudaGraphNode_t n, std::vector<Step>& steps) {  // どの節も、先に終わる節より後に並べる
    for (auto& s : steps)
        if (s.node == n) return;
    for (cudaGraphNode_t b : n->before) visit(b, steps);
    steps.push_back({n, n->type, n->work});
}
static std::vector<Step> stepsOf(const CUgraph_st& g) {
    std::vector<Step> steps;
    for (auto& n : g.nodes) visit(n.get(), steps);
    return steps;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* e, cudaGraph_t g, unsigned long long) {
    if (!g) return remember(cudaErrorInvalidValue);
    return answer(e, new CUgraphExec_st{stepsOf(*g)});
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return remember(stickyError()); }
cudaError_t cudaGraphLaunch(cudaGraphExec_t e, cudaStream_t s) {
    if (!e) return remember(cudaErrorInvalidValue);
    auto operation = [steps = e->steps] {
        for (auto& step : steps) step.work->run();
    };
    enqueue(s, operation, cudaGraphNodeTypeGraph);
    return remember(stickyError());
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t e) { return destroy(e, cudaErrorInvalidValue); }
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
