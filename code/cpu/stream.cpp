// stream.cpp: ストリーム、グラフ、イベント、時計。
// すべての仕事はその場で終わるので、覚えるのはグラフに記録中のものだけ。
#include <chrono>
#include <memory>
#include <vector>

#include "cpu/intrinsics.h"
#include "device.h"

using Operations = std::vector<std::shared_ptr<cpu::Operation>>;
struct CUstream_st {
    bool capturing = false;
    Operations operations;
};
struct CUevent_st { double ms = -1; };
struct CUgraph_st { Operations operations; };
struct CUgraphExec_st { Operations operations; };

using namespace cpu;
namespace cpu {
bool capturing(cudaStream_t s) { return s && s->capturing; }
void capture(cudaStream_t s, Operation* operation) { s->operations.emplace_back(operation); }
}  // namespace cpu

cudaError_t cudaStreamCreate(cudaStream_t* s) {
    *s = new CUstream_st;
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) { return cudaStreamCreate(s); }
cudaError_t cudaStreamDestroy(cudaStream_t s) {
    delete s;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaDeviceSynchronize(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode) {
    if (!s) return remember(cudaErrorStreamCaptureUnsupported);
    s->capturing = true;
    s->operations.clear();
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* g) {
    if (!s || !s->capturing) return remember(cudaErrorInvalidValue);
    s->capturing = false;
    *g = new CUgraph_st{std::move(s->operations)};
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* e, cudaGraph_t g, unsigned long long) {
    *e = new CUgraphExec_st{g->operations};
    return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return remember(stickyError()); }
cudaError_t cudaGraphLaunch(cudaGraphExec_t e, cudaStream_t s) {
    for (auto& o : e->operations) {
        if (capturing(s)) s->operations.push_back(o);
        else o->run();
    }
    return remember(stickyError());
}
cudaError_t cudaGraphDestroy(cudaGraph_t g) {
    delete g;
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t e) {
    delete e;
    return cudaSuccess;
}

// ---------------------------------------------------------------- イベント
cudaError_t cudaEventCreate(cudaEvent_t* e) {
    *e = new CUevent_st;
    return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) { return cudaEventCreate(e); }
cudaError_t cudaEventDestroy(cudaEvent_t e) {
    delete e;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
    enqueue(s, [e] {
        e->ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
    });
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaDeviceSynchronize(); }
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t stop) {
    if (start->ms < 0 || stop->ms < 0) return remember(cudaErrorInvalidResourceHandle);
    *ms = float(stop->ms - start->ms);
    return cudaSuccess;
}
long long clock64() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
