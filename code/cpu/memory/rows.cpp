// rows.cpp: 配列を写し、埋める。2 次元では、行の始めと始めの間 (pitch) が、行の長さより広いことがある。
#include "cpu/launch.h"
#include "../tools/tool.h"

namespace cpu {
static char* at(const Rows& r, size_t y) { return (char*)r.p + y * r.pitch; }
// 1 行ずつの仕事 row を、ストリームに入れる
template <class Row> static cudaError_t enqueueRows(size_t height, cudaStream_t stream, Site site, const char* name,
                                                    Row row) {
    if (!exists(stream)) return gone((std::string(name) + "のストリーム").c_str(), site);
    enqueue(stream, [=] {
        const HostWork work;
        toolWorkSite(site, name);
        for (size_t y = 0; y < height; y++) row(y);
    });
    return cudaSuccess;
}
static cudaError_t tooWide(size_t width, Site site) {
    report("CPU デバイス: 幅 %zu バイトが、行の始めと始めの間 (pitch) より大きい: どちらもバイト数で渡す\n  %s:%d\n",
           width, site.file, site.line);
    return remember(cudaErrorInvalidPitchValue);
}
// 重なるコピーは、CPU デバイスでは正しく写るが、GPU では決まらない。1 つの行では、1 度だけ言う
static void reportOverlap(const Rows& to, const Rows& from, size_t width, size_t height, Site site) {
    static Site said;
    const size_t apart = size_t(std::abs((char*)to.p - (char*)from.p));
    const size_t pitch = height > 1 ? to.pitch : ~size_t(0), row = apart / pitch, left = apart % pitch;
    if (apart == 0 || (height > 1 && from.pitch != pitch)) return;
    const size_t both = left < width && row < height               ? width - left
                        : pitch - left < width && row + 1 < height ? width - (pitch - left)
                                                                   : 0;
    if (!both || (said.file == site.file && said.line == site.line)) return;
    said = site;
    report(
        "CPU デバイス: コピー元とコピー先が %zu バイト重なっている: GPU では、写る値が決まらない\n  %s:%d\n"
        "  別の配列に写してから、そこから写す\n",
        both, site.file, site.line);
}
cudaError_t copyRows(Rows to, Rows from, size_t width, size_t height, cudaMemcpyKind k, cudaStream_t stream,
                     Site site) {
    const Exclusive lock;
    if (stickyError()) return remember(stickyError());
    if (unsigned(k) > cudaMemcpyDefault) return remember(cudaErrorInvalidMemcpyDirection);
    if (!width || !height) return cudaSuccess;
    if (width > std::min(to.pitch, from.pitch)) return tooWide(width, site);
    const auto onDevice = [&](const void* p, cudaMemcpyKind one) {
        return k == cudaMemcpyDefault ? isDevice(memoryOf(p)) || memoryOf(p) >= Memory::managed
                                      : k == one || k == cudaMemcpyDeviceToDevice;
    };
    const bool toDevice = onDevice(to.p, cudaMemcpyHostToDevice), fromDevice = onDevice(from.p, cudaMemcpyDeviceToHost);
    if (!inside("コピー先", to.p, (height - 1) * to.pitch + width, toDevice, site) ||
        !inside("コピー元", from.p, (height - 1) * from.pitch + width, fromDevice, site))
        return remember(cudaErrorInvalidValue);
    if (toDevice && fromDevice) reportOverlap(to, from, width, height, site);
    return enqueueRows(height, stream, site, "コピー", [=](size_t y) {
        memmove(at(to, y), at(from, y), width);
        if (fromDevice) toolHostRead(at(from, y), width, site);
        toolHostWrite(at(to, y), width);
        if (y + 1 == height) toolCopied(to, from, width, height, site);
    });
}
cudaError_t fillRows(Rows to, int value, size_t width, size_t height, cudaStream_t stream, Site site) {
    const Exclusive lock;
    if (stickyError()) return remember(stickyError());
    if (!width || !height) return cudaSuccess;
    if (width > to.pitch) return tooWide(width, site);
    if (!inside("cudaMemset の書き先", to.p, (height - 1) * to.pitch + width, true, site))
        return remember(cudaErrorInvalidValue);
    return enqueueRows(height, stream, site, "cudaMemset", [=](size_t y) {
        memset(at(to, y), value, width);
        toolHostWrite(at(to, y), width);
    });
}
}  // namespace cpu
