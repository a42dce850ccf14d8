// rows.cpp: 配列を写し、埋める。2 次元と 3 次元では、行の始めと始めの間 (pitch) が、行の長さより広いことがある。
#include "cpu/launch.h"
#include "../tools/tool.h"

namespace cpu {
struct Rows {
    char* p;
    size_t pitch, slice;  // 次の行まで、次の面まで
    char* at(size_t y, size_t z) const { return p + z * slice + y * pitch; }
    // 先頭から、最後の行の終わりまで
    size_t span(const cudaExtent& e) const { return (e.depth - 1) * slice + (e.height - 1) * pitch + e.width; }
};
template <class F> static void eachRow(const cudaExtent& e, Site site, const char* name, F f) {
    const HostWork work;
    toolWorkSite(site, name);
    for (size_t z = 0; z < e.depth; z++)
        for (size_t y = 0; y < e.height; y++) f(y, z);
}
// 重なるコピーは、CPU デバイスでは正しく写るが、GPU では決まらない。1 つの行では、1 度だけ言う
static void reportOverlap(const Rows& to, const Rows& from, const cudaExtent& e, Site site) {
    static Site said;
    const size_t apart = size_t(to.p > from.p ? to.p - from.p : from.p - to.p);
    const size_t pitch = e.height > 1 ? to.pitch : ~size_t(0), row = apart / pitch, left = apart % pitch;
    if (apart == 0 || e.depth > 1 || (e.height > 1 && from.pitch != pitch)) return;
    const size_t both = left < e.width && row < e.height               ? e.width - left
                        : pitch - left < e.width && row + 1 < e.height ? e.width - (pitch - left)
                                                                       : 0;
    if (!both || (said.file == site.file && said.line == site.line)) return;
    said = site;
    report(
        "CPU デバイス: コピー元とコピー先が %zu バイト重なっている: GPU では、写る値が決まらない\n  %s:%d\n"
        "  別の配列に写してから、そこから写す\n",
        both, site.file, site.line);
}
static cudaError_t copyBox(Rows to, Rows from, cudaExtent e, cudaMemcpyKind k, cudaStream_t stream, Site site) {
    const Exclusive lock;
    if (stickyError()) return remember(stickyError());
    if (!e.width || !e.height || !e.depth) return cudaSuccess;
    if (e.width > to.pitch || e.width > from.pitch) return remember(cudaErrorInvalidPitchValue);
    const Direction d = direction(to.p, from.p, k);
    if (!inside("コピー先", to.p, to.span(e), d.toDevice, site) ||
        !inside("コピー元", from.p, from.span(e), d.fromDevice, site))
        return remember(cudaErrorInvalidValue);
    if (d.toDevice && d.fromDevice) reportOverlap(to, from, e, site);
    const auto row = [=](size_t y, size_t z) {
        memmove(to.at(y, z), from.at(y, z), e.width);
        if (d.fromDevice) toolHostRead(from.at(y, z), e.width, site);
        toolHostWrite(to.at(y, z), e.width);
    };
    enqueue(stream, [=] { eachRow(e, site, "コピー", row); }, cudaGraphNodeTypeMemcpy);
    return cudaSuccess;
}
static cudaError_t fillBox(Rows to, int value, cudaExtent e, cudaStream_t stream, Site site) {
    const Exclusive lock;
    if (stickyError()) return remember(stickyError());
    if (!e.width || !e.height || !e.depth) return cudaSuccess;
    if (e.width > to.pitch) return remember(cudaErrorInvalidPitchValue);
    if (!inside("cudaMemset の書き先", to.p, to.span(e), true, site)) return remember(cudaErrorInvalidValue);
    const auto row = [=](size_t y, size_t z) {
        memset(to.at(y, z), value, e.width);
        toolHostWrite(to.at(y, z), e.width);
    };
    enqueue(stream, [=] { eachRow(e, site, "cudaMemset", row); }, cudaGraphNodeTypeMemset);
    return cudaSuccess;
}
static Rows rowsOf(const cudaPitchedPtr& p, const cudaPos& at, const cudaExtent& e) {
    const size_t height = p.ysize ? p.ysize : e.height;
    return {(char*)p.ptr + at.z * p.pitch * height + at.y * p.pitch + at.x, p.pitch, p.pitch * height};
}
cudaError_t copy(void* to, const void* from, size_t n, cudaMemcpyKind k, cudaStream_t s, Site site) {
    return copyBox({(char*)to, n, 0}, {(char*)from, n, 0}, {n, 1, 1}, k, s, site);
}
cudaError_t fill(void* p, int value, size_t n, cudaStream_t s, Site site) {
    return fillBox({(char*)p, n, 0}, value, {n, 1, 1}, s, site);
}
cudaError_t copyRows(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height,
                     cudaMemcpyKind k, cudaStream_t s, Site site) {
    return copyBox({(char*)to, toPitch, 0}, {(char*)from, fromPitch, 0}, {width, height, 1}, k, s, site);
}
cudaError_t copyExtent(const cudaMemcpy3DParms* p, cudaStream_t s, Site site) {
    if (p->srcArray || p->dstArray) return remember(cudaErrorNotSupported);
    return copyBox(rowsOf(p->dstPtr, p->dstPos, p->extent), rowsOf(p->srcPtr, p->srcPos, p->extent), p->extent, p->kind,
                   s, site);
}
cudaError_t fillRows(void* p, size_t pitch, int value, size_t width, size_t height, cudaStream_t s, Site site) {
    return fillBox({(char*)p, pitch, 0}, value, {width, height, 1}, s, site);
}
cudaError_t fillExtent(cudaPitchedPtr p, int value, cudaExtent e, cudaStream_t s, Site site) {
    return fillBox(rowsOf(p, {0, 0, 0}, e), value, e, s, site);
}
cudaError_t allocateExtent(cudaPitchedPtr* p, cudaExtent e, const char* name, Site site) {
    *p = {nullptr, 0, e.width, e.height};
    return allocateRows((char**)&p->ptr, &p->pitch, e.width, e.height * e.depth, name, site);
}
}  // namespace cpu
