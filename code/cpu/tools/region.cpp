// region.cpp: 検査のときの、デバイスのメモリと共有メモリの置き場所。
#include <climits>
#include <cstdlib>

#include "arrays.h"

namespace cpu {
bool toolAttached() { return true; }

// リストの静的変数が壊れた後、道具の覚え書きが壊れる前に、結果を出す
static struct AtEnd {
    // make sanitize FILE=。1 度しか動かないので、初めから 2 度目のように調べる
    const char* const file = getenv("FILE");
    AtEnd() { looksBack = file && *file; }
    ~AtEnd() {
        if (deviceUsed || complaints()) reportLeaks(), toolExit();
        else if (file && *file) report("カーネルは 1 つも動かなかった\n");
        fflush(stdout);
        if (complaints()) _exit(3);
    }
} atEnd;

static size_t regionUsed = kSharedBytes;
char* toolMap(size_t bytes) {  // 区間から切り出す。返した場所は 2 度と使わない
    // 大きく外れた添字が隣の配列に入らないように、配列と同じだけ間を空ける
    const size_t gap = std::min(bytes, size_t(64) << 20);
    if (regionUsed + bytes + gap > kRegionBytes) return nullptr;
    char* m = region + regionUsed;
    regionUsed += bytes + gap;
    protectPages(m, bytes, true);
    return m;
}
void toolUnmap(char* m, size_t bytes) { dropPages(m, bytes); }

// ---------------------------------------------------------------- 配列の外
void reportNearest(char* p) {
    const Array* nearest = nullptr;
    long distance = LONG_MAX;
    for (auto& a : arrays) {
        const long d = p >= a.p + a.bytes ? p - (a.p + long(a.bytes)) : a.p - p;
        if (d < distance) nearest = &a, distance = d;
    }
    // 間より遠ければ、ほかの配列の添字かもしれない
    if (!nearest || distance > long(std::max(nearest->bytes, kPageBytes)))
        return report("  %s\n", size_t(p - region) < kSharedBytes ? "もう終わったカーネルの、共有メモリである" : kFar);
    report("  触れたのは %s。%s の要素は %zu 個", placeName(*nearest, p).c_str(), nearest->name.c_str(),
           nearest->bytes / nearest->element.bytes);
    if (!nearest->shared) report(" (%s:%d で確保)", nearest->site.file, nearest->site.line);
    else if (nearest->bytes == runningLaunch().sharedBytes)
        report(": 動的共有メモリは %zu バイト。<<< >>> の 3 つ目に、要素の数ではなくバイト数を渡す", nearest->bytes);
    report("\n  %s\n",
           nearest->pitch   ? "行の始めは pitch バイトごとである: char* にしてから足す"
           : p < nearest->p ? "添字が負である: 端のスレッドを if で除く (負の数の % は、負になる)"
           : nearest->shared || isVariable(nearest->p)
               ? "添字を確かめる: 余るスレッドを if で除くか、配列を長くする"
               : "添字を確かめる: 余るスレッドは if (i < n) で除く。配列が短いなら、要素の数 * sizeof(型) を確保する");
}
void failOutside(char* p, void* pc) {
    failKernel(cudaErrorIllegalAddress, [&] {
        report("CPU デバイス: カーネルが、配列の外に触れた: %s\n  %s\n", threadName().c_str(), where(pc).c_str());
        reportNearest(p);
    });
}

// ---------------------------------------------------------------- 共有メモリと __device__ 変数
constexpr size_t kGap = 128;  // 配列の間のすき間。バンクの番号は変わらない
static uint64_t launchNumber;
static size_t sharedUsed, zoneBytes;  // この起動で 1 つのブロックが使った共有メモリ、使える区間
static unsigned zones;                // 同時に動くブロックの数
char* sharedArray(SharedSite* s, const char* name, size_t bytes, Element element, size_t align) {
    char* zone = region + (self->number - 1) * zoneBytes;
    static SharedSite dynamic;
    if (bytes == 0 && dynamic.launch == launchNumber) *s = dynamic;  // 動的なものは、どれも同じ所から始まる
    if (s->launch != launchNumber) {
        SharedSite* const first = bytes == 0 ? &dynamic : s;
        if (bytes == 0) bytes = runningLaunch().sharedBytes;
        sharedUsed = (sharedUsed + align - 1) / align * align;
        *s = *first = {launchNumber, sharedUsed};
        sharedUsed += (bytes + 2 * kGap - 1) / kGap * kGap;
        if (sharedUsed > zoneBytes) report("検査: ブロックの共有メモリが多すぎて、調べられない\n"), _exit(3);
        for (unsigned k = 0; k < zones; k++)
            toolAllocate({region + k * zoneBytes + s->offset, bytes, element, name, true, *runningLaunch().site});
    }
    return zone + s->offset;
}
void placeArrays(unsigned workers) {
    removeArrays([](const Array& a) { return a.shared; });
    launchNumber++;
    sharedUsed = kGap;  // 初めの配列の前にも触れてはいけない所を置く
    zones = workers;
    zoneBytes = kSharedBytes / workers / 256 * 256;
    registerVariables();
}
void registerVariables() {
    for (; Variable::first; Variable::first = Variable::first->next) {
        const Variable& v = *Variable::first;
        toolAllocate({v.p, v.bytes, v.element, v.name, false, v.site, 0, 0, v.constant});
    }
}
}  // namespace cpu
