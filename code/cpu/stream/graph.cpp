// graph.cpp: グラフを、節を足して作る。
#include "stream.h"

#include <algorithm>
#include <cstring>

#include "../tools/tool.h"

using namespace cpu;
namespace cpu {
cudaGraphNode_t addNode(cudaGraph_t g, cudaGraphNodeType type, std::shared_ptr<Operation> operation,
                        const cudaGraphNode_t* before, size_t count) {
    g->nodes.emplace_back(new CUgraphNode_st{type, operation, {before, before + count}, nullptr, {}});
    return g->nodes.back().get();
}

// ---------------------------------------------------------------- 節の仕事。作れなければ nullptr
static std::shared_ptr<Operation> workOf(const cudaKernelNodeParams& p, Site site) {
    Launch l{place(site.file, site.line), "", p.gridDim, p.blockDim, p.sharedMemBytes, nullptr};
    l.name = kernelName(p.func);
    return std::shared_ptr<Operation>(kernelCall(l, p.func, p.kernelParams));
}
static std::shared_ptr<Operation> workOf(const cudaMemcpy3DParms& p, Site site) {
    return operationOf([p, site] { copyExtent(&p, nullptr, site); });
}
static std::shared_ptr<Operation> workOf(void* to, const void* from, size_t n, cudaMemcpyKind k, Site site) {
    return operationOf([=] { copy(to, from, n, k, nullptr, site); });
}
static std::shared_ptr<Operation> workOf(const cudaMemsetParams& p, Site site) {
    if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4) return nullptr;
    return operationOf([p, site] {
        const size_t width = p.width * p.elementSize, pitch = p.height > 1 ? p.pitch : width;
        if (!inside("cudaMemset の書き先", p.dst, (p.height - 1) * pitch + width, true, site)) {
            remember(cudaErrorInvalidValue);
            return;
        }
        const HostWork work;
        for (size_t y = 0; y < p.height; y++) {
            char* row = (char*)p.dst + y * pitch;
            for (size_t x = 0; x < width; x += p.elementSize) memcpy(row + x, &p.value, p.elementSize);
            toolHostWrite(row, width);
        }
    });
}
static std::shared_ptr<Operation> workOf(const cudaHostNodeParams& p, Site) {
    return operationOf([p] { p.fn(p.userData); });
}
static void keep(cudaGraphNode_t node, const cudaKernelNodeParams& p) { node->kernel = p; }
template <class Parameters> static void keep(cudaGraphNode_t, const Parameters&) {}
}  // namespace cpu

cudaError_t cudaGraphCreate(cudaGraph_t* g, unsigned) {
    *g = new CUgraph_st;
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t g) {
    if (!g) return remember(cudaErrorInvalidValue);
    delete g;
    return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t* to, cudaGraph_t from) {
    *to = new CUgraph_st;
    for (auto& n : from->nodes) {
        (*to)->nodes.emplace_back(new CUgraphNode_st(*n));
        (*to)->nodes.back()->original = n.get();
    }
    for (auto& n : (*to)->nodes)
        for (auto& b : n->before) cudaGraphNodeFindInClone(&b, b, *to);
    return cudaSuccess;
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
    for (auto& n : clone->nodes)
        if (n->original == original) return *node = n.get(), cudaSuccess;
    return remember(cudaErrorInvalidValue);
}
static cudaError_t list(const std::vector<cudaGraphNode_t>& found, cudaGraphNode_t* nodes, size_t* count) {
    if (nodes) std::copy_n(found.begin(), std::min(*count, found.size()), nodes);
    *count = nodes ? std::min(*count, found.size()) : found.size();
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t* nodes, size_t* count) {
    std::vector<cudaGraphNode_t> found;
    for (auto& n : g->nodes) found.push_back(n.get());
    return list(found, nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t g, cudaGraphNode_t* nodes, size_t* count) {
    std::vector<cudaGraphNode_t> found;
    for (auto& n : g->nodes)
        if (n->before.empty()) found.push_back(n.get());
    return list(found, nodes, count);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    *type = node->type;
    return cudaSuccess;
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t) {
    report("CPU デバイス: cudaGraphDestroyNode は使えない: 節を足すかどうかを、足す前に決める\n");
    return remember(cudaErrorNotSupported);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData*, size_t count) {
    for (size_t k = 0; k < count; k++) to[k]->before.push_back(from[k]);
    return cudaSuccess;
}

// ---------------------------------------------------------------- 節を足す、変える
#define NODE cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *before, size_t count
static cudaError_t cannot(cudaGraphNodeType type) {
    return remember(type == cudaGraphNodeTypeKernel ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
}
#define CPU_NODE(Kind, Parameters)                                                                               \
    cudaError_t cudaGraphAdd##Kind##Node(NODE, const Parameters* p, const char* file, int line) {                \
        const auto work = workOf(*p, {file, line});                                                              \
        if (!work) return cannot(cudaGraphNodeType##Kind);                                                       \
        keep(*node = addNode(g, cudaGraphNodeType##Kind, work, before, count), *p);                              \
        return cudaSuccess;                                                                                      \
    }                                                                                                            \
    cudaError_t cudaGraph##Kind##NodeSetParams(cudaGraphNode_t node, const Parameters* p, const char* file,      \
                                               int line) {                                                       \
        const auto work = workOf(*p, {file, line});                                                              \
        if (!work) return cannot(cudaGraphNodeType##Kind);                                                       \
        keep(node, *p), node->operation = work;                                                                  \
        return cudaSuccess;                                                                                      \
    }                                                                                                            \
    cudaError_t cudaGraphExec##Kind##NodeSetParams(cudaGraphExec_t e, cudaGraphNode_t node, const Parameters* p, \
                                                   const char* file, int line) {                                 \
        return change(e, node, cudaGraphNodeType##Kind, workOf(*p, {file, line}));                               \
    }
CPU_NODE(Kernel, cudaKernelNodeParams)
CPU_NODE(Memcpy, cudaMemcpy3DParms)
CPU_NODE(Memset, cudaMemsetParams)
CPU_NODE(Host, cudaHostNodeParams)
cudaError_t cudaGraphAddMemcpyNode1D(NODE, void* to, const void* from, size_t n, cudaMemcpyKind k, const char* file,
                                     int line) {
    *node = addNode(g, cudaGraphNodeTypeMemcpy, workOf(to, from, n, k, {file, line}), before, count);
    return cudaSuccess;
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t n, cudaMemcpyKind k,
                                           const char* file, int line) {
    node->operation = workOf(to, from, n, k, {file, line});
    return cudaSuccess;
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t e, cudaGraphNode_t node, void* to, const void* from,
                                               size_t n, cudaMemcpyKind k, const char* file, int line) {
    return change(e, node, cudaGraphNodeTypeMemcpy, workOf(to, from, n, k, {file, line}));
}
cudaError_t cudaGraphAddEmptyNode(NODE) {
    *node = addNode(g, cudaGraphNodeTypeEmpty, nothing(), before, count);
    return cudaSuccess;
}
cudaError_t cudaGraphAddChildGraphNode(NODE, cudaGraph_t child) {
    std::vector<std::shared_ptr<Operation>> parts;
    for (cudaGraphNode_t n : inOrder(*child)) parts.push_back(n->operation);
    *node = addNode(g, cudaGraphNodeTypeGraph, operationOf([parts] {
                        for (auto& o : parts) o->run();
                    }),
                    before, count);
    return cudaSuccess;
}
cudaError_t cudaGraphAddEventRecordNode(NODE, cudaEvent_t e) {
    *node = addNode(g, cudaGraphNodeTypeEventRecord, operationOf([e] { cudaEventRecord(e); }), before, count);
    return cudaSuccess;
}
cudaError_t cudaGraphAddEventWaitNode(NODE, cudaEvent_t) {
    *node = addNode(g, cudaGraphNodeTypeWaitEvent, nothing(), before, count);
    return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* p) {
    *p = node->kernel;
    return cudaSuccess;
}
