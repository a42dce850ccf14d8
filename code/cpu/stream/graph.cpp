// graph.cpp: グラフを、仕事を足して作り、動かせる形にして動かす。
#include "stream.h"

#include <algorithm>

#include "../tools/tool.h"

using namespace cpu;
struct CUgraphExec_st : CUgraph_st {};

cudaError_t cudaGraphCreate(cudaGraph_t* g, unsigned) { return answer(g, new CUgraph_st); }
cudaError_t cudaGraphDestroy(cudaGraph_t g) { return destroy(g, cudaErrorInvalidValue); }
cudaError_t cudaGraphClone(cudaGraph_t* to, cudaGraph_t from) { return answer(to, new CUgraph_st(*from)); }
cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t* nodes, size_t* count) {
    if (nodes) *count = std::min(*count, g->works.size());
    else *count = g->works.size();
    for (size_t k = 0; nodes && k < *count; k++) nodes[k] = cudaGraphNode_t(k + 1);
    return cudaSuccess;
}

// ---------------------------------------------------------------- 節を足す。節の名前は、何番目に足したか
#define NODE cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *, size_t
#define HERE const char *file, int line
static cudaError_t add(cudaGraphNode_t* node, cudaGraph_t g, Shared work) {
    g->works.push_back(work);
    return answer(node, cudaGraphNode_t(g->works.size()));
}
cudaError_t cudaGraphAddKernelNode(NODE, const cudaKernelNodeParams* p, HERE) {
    const Launch l{place(file, line), kernelName(p->func), p->gridDim, p->blockDim, p->sharedMemBytes, nullptr};
    const Shared work(kernelCall(l, p->func, p->kernelParams));
    return work ? add(node, g, work) : remember(cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaGraphAddMemcpyNode(NODE, const cudaMemcpy3DParms* p, HERE) {
    return add(node, g, operationOf([p = *p, file, line] { copyExtent(&p, nullptr, {file, line}); }));
}
cudaError_t cudaGraphAddMemcpyNode1D(NODE, void* to, const void* from, size_t n, cudaMemcpyKind k, HERE) {
    return add(node, g, operationOf([=] { copy(to, from, n, k, nullptr, {file, line}); }));
}
cudaError_t cudaGraphAddMemsetNode(NODE, const cudaMemsetParams* p, HERE) {
    const size_t bytes = p->elementSize, width = p->width * bytes;
    if (bytes != 1 && bytes != 2 && bytes != 4) return remember(cudaErrorInvalidValue);
    return add(node, g, operationOf([=, p = *p, pitch = p->height > 1 ? p->pitch : width] {
                   fillBox({p.dst, pitch, width, p.height}, p.value, bytes, {width, p.height, 1}, nullptr,
                           {file, line});
               }));
}
cudaError_t cudaGraphAddHostNode(NODE, const cudaHostNodeParams* p, const char*, int) {
    return add(node, g, operationOf([p = *p] { p.fn(p.userData); }));
}
cudaError_t cudaGraphAddEmptyNode(NODE) {
    return add(node, g, operationOf([] {}));
}

// ---------------------------------------------------------------- 動かす
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* e, cudaGraph_t g, unsigned long long) {
    if (!g) return remember(cudaErrorInvalidValue);
    return answer(e, new CUgraphExec_st{*g});
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return remember(stickyError()); }
cudaError_t cudaGraphLaunch(cudaGraphExec_t e, cudaStream_t s) {
    if (!e) return remember(cudaErrorInvalidValue);
    enqueue(s, [works = e->works] {
        for (auto& work : works) work->run();
    });
    return remember(stickyError());
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t e) { return destroy(e, cudaErrorInvalidValue); }
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t e, cudaGraph_t g, cudaGraphExecUpdateResultInfo* info) {
    const bool same = g->works.size() == e->works.size();
    *info = {same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
    if (!same) return remember(cudaErrorGraphExecUpdateFailure);
    e->works = g->works;
    return cudaSuccess;
}
