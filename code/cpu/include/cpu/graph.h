// graph.h: グラフ。ストリームに記録して作るか、節を 1 つずつ足して作る。
#pragma once
#include "launch.h"
#include "stream.h"

typedef struct CUgraphExec_st* cudaGraphExec_t;
struct cudaKernelNodeParams {
    void* func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaMemsetParams {
    void* dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void* userData;
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2,
};
struct cudaGraphExecUpdateResultInfo {
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
};

cudaError_t cudaGraphCreate(cudaGraph_t*, unsigned flags);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphClone(cudaGraph_t* to, cudaGraph_t from);
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t* nodes, size_t* count);

#define CPU_NODE(Kind, Parameters)                                                                                   \
    cudaError_t cudaGraphAdd##Kind##Node(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t* before, size_t count, \
                                         const Parameters*, CPU_HERE);
CPU_NODE(Kernel, cudaKernelNodeParams)
CPU_NODE(Memcpy, cudaMemcpy3DParms)
CPU_NODE(Memset, cudaMemsetParams)
CPU_NODE(Host, cudaHostNodeParams)
#undef CPU_NODE
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t* before, size_t count,
                                     void* to, const void* from, size_t bytes, cudaMemcpyKind, CPU_HERE);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t* before, size_t count);

cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long flags = 0);
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* e, cudaGraph_t g, cudaGraphNode_t*, char*, size_t) {
    return cudaGraphInstantiate(e, g, 0);  // CUDA 11 の形
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* e, cudaGraph_t g, unsigned long long flags = 0) {
    return cudaGraphInstantiate(e, g, flags);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo*);

// ---------------------------------------------------------------- ストリームの順に確保する
namespace cpu {
cudaError_t outsideCapture(const char* name, cudaStream_t, Site);  // グラフに記録中なら、断る
cudaError_t releaseInStream(void* p, cudaStream_t, Site);
template <class T>
cudaError_t allocateInStream(T** p, const char* name, Site site, size_t bytes, cudaStream_t s = nullptr) {
    const cudaError_t e = outsideCapture("cudaMallocAsync", s, site);
    return e ? e : allocateAs(p, bytes, Memory::device, name, site);
}
}  // namespace cpu
#define cudaMallocAsync(p, ...) ::cpu::allocateInStream((p), #p, ::cpu::Site{__FILE__, __LINE__}, __VA_ARGS__)
inline cudaError_t cudaFreeAsync(void* p, cudaStream_t s, CPU_HERE) { return cpu::releaseInStream(p, s, {file, line}); }
