// stream.h: ストリーム、イベント、ホストの関数を呼ぶこと、ストリームの仕事を記録したグラフ。
// すべての仕事はその場で、書かれた順に終わる。どのストリームの順序の約束にも合うが、重なりはしない。
#pragma once
#include "memory.h"

#define CUDART_CB
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void* data);
typedef void (*cudaHostFn_t)(void* data);
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaStreamTailLaunch ((cudaStream_t)0x3)     // カーネルの中から: 起動したグリッドが終わってから
#define cudaStreamFireAndForget ((cudaStream_t)0x4)  // カーネルの中から: 順序を決めない
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed
};
enum {
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4,
};
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned flags);
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned flags, int) {
    return cudaStreamCreateWithFlags(s, flags);
}
inline cudaError_t cudaStreamCreate(cudaStream_t* s) { return cudaStreamCreateWithFlags(s, 0); }
cudaError_t cudaStreamDestroy(cudaStream_t, CPU_HERE);
cudaError_t cudaStreamSynchronize(cudaStream_t, CPU_HERE);
cudaError_t cudaStreamQuery(cudaStream_t, CPU_HERE);
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned* flags);
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    return cpu::answer(greatest, -5);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned flags = 0, CPU_HERE);
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void* data, unsigned flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void* data, CPU_HERE);

cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*, CPU_HERE);
cudaError_t cudaGraphDestroy(cudaGraph_t, CPU_HERE);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long flags = 0, CPU_HERE);
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* e, cudaGraph_t g, cudaGraphNode_t*, char*, size_t, CPU_HERE) {
    return cudaGraphInstantiate(e, g, 0, file, line);  // CUDA 11 の形
}
inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t, CPU_HERE);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t, CPU_HERE);

cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned flags);
inline cudaError_t cudaEventCreate(cudaEvent_t* e, unsigned flags = 0) { return cudaEventCreateWithFlags(e, flags); }
cudaError_t cudaEventDestroy(cudaEvent_t, CPU_HERE);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr, CPU_HERE);
cudaError_t cudaEventSynchronize(cudaEvent_t, CPU_HERE);
cudaError_t cudaEventQuery(cudaEvent_t, CPU_HERE);
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t stop, CPU_HERE);
