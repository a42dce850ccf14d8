// runtime.cpp: CUDA ランタイムの残り。装置の性質、ストリーム、イベント、グラフ、エラーの名前。
#include <unistd.h>

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <vector>
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

#include "cooperative_groups.h"
#include "device.h"

using Works = std::vector<std::shared_ptr<cpu::Work>>;
struct CUstream_st {
    bool capturing = false;
    Works work;
};
struct CUevent_st { double ms = -1; };
struct CUgraph_st { Works work; };
struct CUgraphExec_st { Works work; };

using namespace cpu;
static cudaError_t lastError = cudaSuccess;
static bool failed = false;
namespace cpu {
bool anyError() { return failed; }
cudaError_t remember(cudaError_t e) {
    if (e != cudaSuccess) lastError = e, failed = true;
    return e;
}
bool capturing(cudaStream_t s) { return s && s->capturing; }
void capture(cudaStream_t s, Work* work) { s->work.emplace_back(work); }
}  // namespace cpu

// ---------------------------------------------------------------- エラー
cudaError_t cudaGetLastError() {
    const cudaError_t e = lastError;
    lastError = stickyError();
    return e;
}
cudaError_t cudaPeekAtLastError() { return lastError; }
static const struct {
    cudaError_t e;
    const char *name, *text;
} errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
};
const char* cudaGetErrorName(cudaError_t e) {
    for (auto& x : errors)
        if (x.e == e) return x.name;
    return "cudaErrorUnknown";
}
const char* cudaGetErrorString(cudaError_t e) {
    for (auto& x : errors)
        if (x.e == e) return x.text;
    return "unknown error";
}

// ---------------------------------------------------------------- 装置
static std::string processorName() {
    char name[128] = "CPU";
#ifdef __APPLE__
    size_t n = sizeof name;
    sysctlbyname("machdep.cpu.brand_string", name, &n, nullptr, 0);
#else
    if (FILE* f = fopen("/proc/cpuinfo", "r")) {
        char line[256];
        while (fgets(line, sizeof line, f))
            if (sscanf(line, "model name : %127[^\n]", name) == 1) break;
        fclose(f);
    }
#endif
    return name;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
    if (device != 0) return remember(cudaErrorInvalidDevice);
    *p = cudaDeviceProp{};
    snprintf(p->name, sizeof p->name, "CPU デバイス (%s, %u コア)", processorName().c_str(), coreCount());
    p->totalGlobalMem = size_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    p->sharedMemPerBlock = kDefaultShared;
    p->sharedMemPerBlockOptin = p->sharedMemPerMultiprocessor = kMaxShared;
    p->regsPerBlock = 65536;
    p->warpSize = 32;
    p->maxThreadsPerBlock = p->maxThreadsDim[0] = p->maxThreadsDim[1] = int(kMaxThreads);
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 2147483647;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->major = 9;  // 使える機能の目安。GPU ではない
    p->multiProcessorCount = kSMs;
    p->maxThreadsPerMultiProcessor = 2048;
    p->cooperativeLaunch = 1;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr a, int device) {
    cudaDeviceProp p;
    const cudaError_t e = cudaGetDeviceProperties(&p, device);
    if (e != cudaSuccess) return e;
    switch (a) {
        case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = int(p.sharedMemPerBlock); break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = int(p.sharedMemPerBlockOptin); break;
        case cudaDevAttrWarpSize: *value = p.warpSize; break;
        case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
        case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
        case cudaDevAttrCooperativeLaunch: *value = 1; break;
        default: *value = 0;  // メモリのクロックやバス幅や L2 は、CPU デバイスにはない
    }
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* n) {
    *n = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* d) {
    *d = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int d) { return d == 0 ? cudaSuccess : remember(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceSynchronize() { return remember(stickyError()); }
cudaError_t cudaDeviceReset() { return cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* v) {
    *v = 13000;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* v) {
    *v = 13000;
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    *total = size_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    *free = *total - std::min(*total, allocatedBytes());
    return cudaSuccess;
}
long long clock64() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

// ---------------------------------------------------------------- ストリームとグラフ
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
    s->work.clear();
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* g) {
    if (!s || !s->capturing) return remember(cudaErrorInvalidValue);
    s->capturing = false;
    *g = new CUgraph_st{std::move(s->work)};
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* e, cudaGraph_t g, unsigned long long) {
    *e = new CUgraphExec_st{g->work};
    return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return remember(stickyError()); }
cudaError_t cudaGraphLaunch(cudaGraphExec_t e, cudaStream_t s) {
    for (auto& w : e->work) {
        if (capturing(s)) s->work.push_back(w);
        else w->run();
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

// ---------------------------------------------------------------- 協調グループ
const Site* cooperative_groups::details::place(const char* file, int line) {
    static thread_local const Site* last = nullptr;  // 続けて同じ行から呼ばれることが多い
    if (last && last->line == line && last->file == file) return last;
    static std::mutex mutex;
    static std::map<std::pair<const char*, int>, Site> sites;
    std::lock_guard<std::mutex> lock(mutex);
    return last = &sites.insert({{file, line}, {file, line}}).first->second;
}
