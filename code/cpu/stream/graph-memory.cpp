// graph-memory.cpp: グラフが持つメモリ。アドレスは節を足したときに決まり、
// グラフと、それから作った実行形がすべてなくなるまで返さない。だから、何度動かしても同じアドレスである。
#include <algorithm>

#include "stream.h"

using namespace cpu;
static size_t used, high;
struct GraphMemory {
    void* p;
    size_t bytes;
    GraphMemory(void* p, size_t bytes) : p(p), bytes(bytes) { high = std::max(high, used += bytes); }
    ~GraphMemory() {
        used -= bytes;
        release(p, Memory::graph, {"", 0});
    }
};
static std::shared_ptr<Operation> keep(void* p) {  // 仕事はしないが、持っている間はメモリを返さない
    const auto memory = std::make_shared<GraphMemory>(p, bytesFrom(p));
    return operationOf([memory] {});
}
namespace cpu {
void captureMemory(cudaStream_t s, void* p) { capture(s, keep(p), cudaGraphNodeTypeMemAlloc); }
cudaError_t captureFree(cudaStream_t s) {
    capture(s, nothing(), cudaGraphNodeTypeMemFree);
    return cudaSuccess;
}
}  // namespace cpu

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t count,
                                     cudaMemAllocNodeParams* p, const char* file, int line) {
    const cudaError_t e = allocate(&p->dptr, p->bytesize, Memory::graph, "グラフのメモリ", {1, false}, {file, line});
    if (e == cudaSuccess) *node = addNode(g, cudaGraphNodeTypeMemAlloc, keep(p->dptr), before, count);
    return e;
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t count,
                                    void*) {
    *node = addNode(g, cudaGraphNodeTypeMemFree, nothing(), before, count);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType a, void* bytes) {
    if (device != 0) return remember(cudaErrorInvalidDevice);
    const bool highest = a == cudaGraphMemAttrUsedMemHigh || a == cudaGraphMemAttrReservedMemHigh;
    *(uint64_t*)bytes = highest ? high : used;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType, void*) {
    if (device != 0) return remember(cudaErrorInvalidDevice);
    high = used;  // 変えられるのは、最大値を 0 に戻すことだけ
    return cudaSuccess;
}
cudaError_t cudaDeviceGraphMemTrim(int device) {
    return device == 0 ? remember(stickyError()) : remember(cudaErrorInvalidDevice);
}
