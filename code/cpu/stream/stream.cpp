// stream.cpp: ストリーム、イベント、グラフ。
// すべての仕事はその場で終わるので、覚えるのは、グラフに記録中のストリームが作っているグラフだけ。
#include <optional>
#include <set>

#include "../exec/exec.h"

using namespace cpu;
struct CUstream_st {
    unsigned flags;
    cudaGraph_t graph = nullptr;  // 記録中のグラフ
};
struct CUevent_st {
    unsigned flags;
    double ms = -1;
    cudaGraph_t graph = nullptr;  // 記録中のストリームに置かれた
};
struct GraphWork {
    std::shared_ptr<Operation> operation;
    cudaStream_t stream;
    bool host;
    cudaEvent_t recorded = nullptr, awaited = nullptr;  // operation のないもの。検査が、順序を知るためにある
};
struct CUgraph_st {
    cudaStream_t origin;  // 記録を始めたストリーム。動かすときは、動かすストリームに代わる
    std::vector<GraphWork> works;  // 足した順。先に終わるものは、先に足してある
};
struct CUgraphExec_st : CUgraph_st {};
static Mutex madeMutex;  // 仕事の鍵とは別: カーネルが動いている間も、ストリームは聞ける
// 作って、まだ破棄していないもの。プログラムの終わりにも使われるので、壊さない
template <class T> static std::set<T*>& living = *new std::set<T*>;
template <class T> static T* made(T* x) {
    const std::lock_guard<Mutex> lock(madeMutex);
    return living<T>.count(x) ? x : nullptr;
}
template <class T> static cudaError_t make(T** to, const T& value) {
    const std::lock_guard<Mutex> lock(madeMutex);
    living<T>.insert(*to = new T(value));
    return cudaSuccess;
}
cudaError_t cpu::gone(const char* what, Site site, cudaError_t e) {
    report("CPU デバイス: %sは、もう破棄したか、作っていない\n  %s:%d\n", what, site.file, site.line);
    return remember(e);
}
template <class T> static cudaError_t destroy(T* x, cudaError_t ifNone, const char* what, Site site) {
    const std::lock_guard<Mutex> lock(madeMutex);
    if (living<T>.erase(x)) return cudaSuccess;  // 同じ番地を、2 度は使わない
    return gone(what, site, ifNone);
}
namespace cpu {
bool exists(cudaStream_t s) { return uintptr_t(s) <= uintptr_t(cudaStreamFireAndForget) || made(s); }
bool capturing(cudaStream_t s) { return made(s) && s->graph; }
static void perform(cudaStream_t s, Operation& work, bool host) {
    std::optional<Exclusive> alone;  // 検査は、ほかの OS スレッドの仕事を、この仕事と間違えないように、1 つずつ見る
    if (toolAttached() && !host) alone.emplace();
    toolWorkBegin(s, host);
    work.run();
    toolWorkEnd();
}
static thread_local Site hostFunction;  // いまその中にいるホストの関数を、ストリームに入れた所
void submit(cudaStream_t s, Operation& work, bool host) {
    if (hostFunction.line) {
        report(
            "CPU デバイス: cudaLaunchHostFunc に渡した関数の中では、CUDA の関数もカーネルの起動も使えない\n  %s:%d\n",
            hostFunction.file, hostFunction.line);
        return void(remember(cudaErrorNotPermitted));
    }
    if (here.inKernel) {
        here.inKernel = false;  // 引数を写すのは、カーネルの読み書きではない
        std::unique_ptr<Operation> later(work.copy());
        here.inKernel = true;
        defer(s, std::move(later));
    } else if (capturing(s)) s->graph->works.push_back({std::shared_ptr<Operation>(work.copy()), s, host});
    else perform(s, work, host);
}
}  // namespace cpu

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned flags) { return make(s, {flags}); }
cudaError_t cudaStreamDestroy(cudaStream_t s, const char* file, int line) {
    return destroy(s, cudaErrorInvalidResourceHandle, "破棄するストリーム", {file, line});
}
static cudaError_t await(cudaStream_t s, bool ask, Site site) {
    if (!exists(s)) return gone("待つストリーム", site);
    if (const cudaError_t none = outsideCapture("cudaStreamSynchronize", s, site)) return none;
    return toolWaited(s, nullptr, ask) ? remember(stickyError()) : cudaErrorNotReady;
}
cudaError_t cudaStreamSynchronize(cudaStream_t s, const char* file, int line) { return await(s, false, {file, line}); }
cudaError_t cudaStreamQuery(cudaStream_t s, const char* file, int line) { return await(s, true, {file, line}); }
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned* flags) { return answer(flags, made(s) ? s->flags : 0); }
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned, const char* file, int line) {
    if (!made(e) || !exists(s)) return gone("待つイベントかストリーム", {file, line});
    if (!e->graph) toolStreamWaits(s, e);
    if (!e->graph || !made(s)) return cudaSuccess;
    s->graph = e->graph;  // 記録が、このストリームにも広がる
    s->graph->works.push_back({nullptr, s, false, nullptr, e});
    return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f, void* data, unsigned) {
    if (capturing(s)) return remember(cudaErrorStreamCaptureUnsupported);
    f(s, stickyError(), data);
    return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t f, void* data, const char* file, int line) {
    if (!exists(s)) return gone("ホストの関数を入れるストリーム", {file, line});
    enqueue(s, [=] { hostFunction = {file, line}, f(data), hostFunction = {}; }, true);
    return remember(stickyError());
}

// ---------------------------------------------------------------- 記録して、動かす
cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode) {
    if (!made(s)) return remember(cudaErrorStreamCaptureUnsupported);
    if (s->graph) return remember(cudaErrorIllegalState);
    return make(&s->graph, {s, {}});
}
static bool joined(const CUgraph_st& g) {  // 枝分かれした仕事を、記録を始めたストリームが待つか。終わりから見る
    std::set<cudaStream_t> streams{g.origin};
    std::set<cudaEvent_t> events;
    for (auto w = g.works.rbegin(); w != g.works.rend(); w++) {
        if (w->recorded && events.erase(w->recorded)) streams.insert(w->stream);
        else if (w->awaited && streams.count(w->stream)) events.insert(w->awaited);
        else if (w->operation && !streams.count(w->stream)) return false;
    }
    return true;
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* g, const char* file, int line) {
    if (!capturing(s)) return remember(cudaErrorInvalidValue);
    const std::lock_guard<Mutex> lock(madeMutex);
    *g = s->graph;
    for (cudaStream_t each : living<CUstream_st>)
        if (each->graph == *g) each->graph = nullptr;
    if (joined(**g)) return cudaSuccess;
    report(
        "CPU デバイス: グラフの記録を終えるとき、別のストリームに枝分かれした仕事が、合流していない\n  %s:%d\n"
        "  枝の終わりで cudaEventRecord し、記録を始めたストリームで cudaStreamWaitEvent する\n",
        file, line);
    *g = nullptr;
    return remember(cudaErrorStreamCaptureUnjoined);
}
cudaError_t cudaGraphDestroy(cudaGraph_t g, const char* file, int line) {
    return destroy(g, cudaErrorInvalidValue, "破棄するグラフ", {file, line});
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* e, cudaGraph_t g, unsigned long long, const char* file, int line) {
    if (!made(g)) return gone("実行できる形にするグラフ", {file, line}, cudaErrorInvalidValue);
    return make(e, {*g});
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t e, cudaStream_t s, const char* file, int line) {
    if (!made(e) || !exists(s)) return gone("起動するグラフかストリーム", {file, line}, cudaErrorInvalidValue);
    for (const GraphWork& w : e->works) {
        const cudaStream_t to = w.stream == e->origin ? s : w.stream;
        if (capturing(s)) s->graph->works.push_back(w), s->graph->works.back().stream = to;
        else if (w.operation) perform(to, *w.operation, w.host);
        else if (w.recorded) toolRecorded(w.recorded, to);
        else toolStreamWaits(to, w.awaited);
    }
    return remember(stickyError());
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t e, const char* file, int line) {
    return destroy(e, cudaErrorInvalidValue, "破棄するグラフ", {file, line});
}

// ---------------------------------------------------------------- イベント
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned flags) { return make(e, {flags}); }
cudaError_t cudaEventDestroy(cudaEvent_t e, const char* file, int line) {
    return destroy(e, cudaErrorInvalidResourceHandle, "破棄するイベント", {file, line});
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s, const char* file, int line) {
    if (!made(e) || !exists(s)) return gone("記録するイベントかストリーム", {file, line});
    e->graph = capturing(s) ? s->graph : nullptr;
    if (e->graph) e->graph->works.push_back({nullptr, s, false, e});
    else e->ms = seconds() * 1000, toolRecorded(e, s);
    return remember(stickyError());
}
static cudaError_t await(cudaEvent_t e, bool ask, Site site) {
    if (!made(e)) return gone("待つイベント", site);
    return toolWaited(nullptr, e, ask) ? remember(stickyError()) : cudaErrorNotReady;
}
cudaError_t cudaEventSynchronize(cudaEvent_t e, const char* file, int line) { return await(e, false, {file, line}); }
cudaError_t cudaEventQuery(cudaEvent_t e, const char* file, int line) { return await(e, true, {file, line}); }
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t stop, const char* file, int line) {
    for (cudaEvent_t e : {start, stop}) {
        if (made(e) && e->ms >= 0 && !(e->flags & cudaEventDisableTiming)) continue;
        if (made(e))
            report("CPU デバイス: 時間を聞いたイベントは、%s\n  %s:%d\n",
                   e->ms < 0 ? "まだ cudaEventRecord() で記録していない"
                             : "cudaEventDisableTiming を付けて作ったので、時間を持たない",
                   file, line);
        return remember(cudaErrorInvalidResourceHandle);
    }
    for (cudaEvent_t e : {start, stop}) toolElapsed(e, {file, line});
    *ms = float(stop->ms - start->ms);
    return cudaSuccess;
}
