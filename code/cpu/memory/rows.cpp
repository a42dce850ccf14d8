// rows.cpp: 配列を写し、埋める。2 次元と 3 次元では、行の始めと始めの間 (pitch) が、行の長さより広いことがある。
#include "cpu/launch.h"
#include "../tools/tool.h"

namespace cpu {
static char* at(const cudaPitchedPtr& p, size_t y, size_t z) { return (char*)p.ptr + (z * p.ysize + y) * p.pitch; }
// 先頭から、最後の行の終わりまで
static size_t span(const cudaPitchedPtr& p, const cudaExtent& e) {
    return size_t(at(p, e.height - 1, e.depth - 1) - (char*)p.ptr) + e.width;
}
// 1 行ずつの仕事 row を、ストリームに入れる
template <class Row> static cudaError_t enqueueRows(cudaExtent e, cudaStream_t stream, Site site, const char* name,
                                                    Row row) {
    if (!exists(stream)) {
        report("CPU デバイス: %sのストリームは、もう破棄したか、作っていない\n  %s:%d\n", name, site.file, site.line);
        return remember(cudaErrorInvalidResourceHandle);
    }
    const auto work = [=] {
        const HostWork work;
        toolWorkSite(site, name);
        for (size_t z = 0; z < e.depth; z++)
            for (size_t y = 0; y < e.height; y++) row(y, z);
    };
    enqueue(stream, work);
    return cudaSuccess;
}
// 重なるコピーは、CPU デバイスでは正しく写るが、GPU では決まらない。1 つの行では、1 度だけ言う
static void reportOverlap(const cudaPitchedPtr& to, const cudaPitchedPtr& from, const cudaExtent& e, Site site) {
    static Site said;
    const size_t apart = size_t(std::abs((char*)to.ptr - (char*)from.ptr));
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
cudaError_t copyBox(cudaPitchedPtr to, cudaPitchedPtr from, cudaExtent e, cudaMemcpyKind k, cudaStream_t stream,
                    Site site) {
    const Exclusive lock;
    if (stickyError()) return remember(stickyError());
    if (!e.width || !e.height || !e.depth) return cudaSuccess;
    if (e.width > to.pitch || e.width > from.pitch) return remember(cudaErrorInvalidPitchValue);
    const Direction d = direction(to.ptr, from.ptr, k);
    if (!inside("コピー先", to.ptr, span(to, e), d.toDevice, site) ||
        !inside("コピー元", from.ptr, span(from, e), d.fromDevice, site))
        return remember(cudaErrorInvalidValue);
    if (d.toDevice && d.fromDevice) reportOverlap(to, from, e, site);
    return enqueueRows(e, stream, site, "コピー", [=](size_t y, size_t z) {
        memmove(at(to, y, z), at(from, y, z), e.width);
        if (d.fromDevice) toolHostRead(at(from, y, z), e.width, site);
        toolHostWrite(at(to, y, z), e.width);
    });
}
cudaError_t fillBox(cudaPitchedPtr to, unsigned value, size_t bytes, cudaExtent e, cudaStream_t stream, Site site) {
    const Exclusive lock;
    if (stickyError()) return remember(stickyError());
    if (!e.width || !e.height || !e.depth) return cudaSuccess;
    if (e.width > to.pitch) return remember(cudaErrorInvalidPitchValue);
    if (!to.ysize) to.ysize = e.height;
    if (!inside("cudaMemset の書き先", to.ptr, span(to, e), true, site)) return remember(cudaErrorInvalidValue);
    return enqueueRows(e, stream, site, "cudaMemset", [=](size_t y, size_t z) {
        if (bytes == 1) memset(at(to, y, z), int(value), e.width);
        else
            for (size_t x = 0; x < e.width; x += bytes) memcpy(at(to, y, z) + x, &value, bytes);
        toolHostWrite(at(to, y, z), e.width);
    });
}
static cudaPitchedPtr moved(cudaPitchedPtr p, const cudaPos& to, const cudaExtent& e) {
    if (!p.ysize) p.ysize = e.height;
    p.ptr = at(p, to.y, to.z) + to.x;
    return p;
}
cudaError_t copyExtent(const cudaMemcpy3DParms* p, cudaStream_t s, Site site) {
    if (p->srcArray || p->dstArray) return remember(cudaErrorNotSupported);
    return copyBox(moved(p->dstPtr, p->dstPos, p->extent), moved(p->srcPtr, p->srcPos, p->extent), p->extent, p->kind,
                   s, site);
}
}  // namespace cpu
