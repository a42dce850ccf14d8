// bounds.cpp: 触れてよい所かを調べる。races.cpp が、いつもと違う読み書きのときだけ呼ぶ。
#include "sanitize.h"

namespace cpu {
static void outOfBounds(char* p, unsigned size, Kind kind, void* pc) {
    if (first("外" + where(pc))) {
        report("検査: 配列の外を%s (%u バイト)\n  %s: %s\n", done(kind), size, where(pc).c_str(), threadName().c_str());
        bool close = !inHeap(p);
        for (int d = -16; d <= 16; d += 4) close = close || findArray(p + d);
        if (close && !describeFreed(p)) reportNearest(p);
        if (!close) report("  もう delete (か free) した所である\n");
        reportKernel();
    }
    abortBlock(cudaErrorIllegalAddress);
}
bool ownMemory(const char* p) {  // 自分のスタック、カーネルの引数、プログラムの変数
    auto near = [p](const void* q, size_t distance) { return uintptr_t(p) - uintptr_t(q) + distance < 2 * distance; };
    const Launch& l = runningLaunch();
    const bool argument = uintptr_t(p) - uintptr_t(l.closure) < l.closureBytes;
    return ownVariables(p) || near(__builtin_frame_address(0), kStackBytes) || argument ||
           (inImage(p) && (!inVariables(p) || memoryOf(p) == Memory::managedVariable)) || heapUsed;
}
// 値を入れていないローカル変数には、コンパイラが決まった値を入れる (build.mk の UNSET)
#if defined(__clang__) && !defined(__wasm__)
constexpr uint32_t kUnset = 0xaaaaaaaa, kUnsetFloat = 0xffffffff;
#else
constexpr uint32_t kUnset = 0xfefefefe, kUnsetFloat = kUnset;
#endif
static bool unsetIndex(const char* p) {  // p は、その値に近い添字で、どれかの配列から数えた所か
    constexpr int64_t kNear = 4096;
    return std::any_of(arrays.begin(), arrays.end(), [p](const Array& a) {
        const int64_t k = (p - a.p) / int64_t(a.element.bytes);
        return !a.shared && (std::abs(k - int32_t(kUnset)) < kNear || std::abs(k - kUnset) < kNear);
    });
}
void foreign(char* p, Kind kind, void* pc) {
    if (first("ホスト" + where(pc))) {
        const bool gone = size_t((char*)__builtin_frame_address(0) - p) + kGoneBytes < 2 * kGoneBytes;
        const char* const reason =
            inVariables(p)         ? "ホストの変数である: __device__ を付けるか、引数で渡す"
            : gone                 ? "もう終わった関数のローカル変数である: 値を返すか、置く所を引数で受け取る"
            : inStacks(p)          ? "別のスレッドのローカル変数である: ほかのスレッドに渡すものは __shared__ に置く"
            : unsetIndex(p)        ? "添字に、値を入れていない変数を使ったらしい: 宣言で = 0 のように入れる"
            : uintptr_t(p) < 65536 ? "ヌルポインタである: 確保していないか、確保に失敗している"
            : isMapped(p)          ? "ホストのポインタである: cudaMalloc した所に写して、それを渡す"
                                   : kFar;
        report("検査: カーネルが、デバイスのメモリでない所を%s\n  %s: %s, アドレス %p\n  %s\n", done(kind),
               where(pc).c_str(), threadName().c_str(), (void*)p, reason);
        if (uintptr_t(p) < 65536) describeFailure();
        reportKernel();
    }
    abortBlock(cudaErrorIllegalAddress);
}

// GPU は、16 バイトの読み書きを 16 の倍数の番地でしかできない
void misaligned(char* p, unsigned bytes, Kind kind, void* pc) {
    const Array* a = findArray(p);
    const std::string n = std::to_string(bytes);
    complain("境界", pc, n + " バイトを 1 度に" + done(kind) + "が、番地が " + n + " の倍数ではない",
             a ? "触れたのは " + placeName(*a, p) : "");
    abortBlock(cudaErrorMisalignedAddress);
}

void constantWrite(char* p, void* pc) {
    complain("定数", pc, "カーネルが、__constant__ の変数に書いた: " + elementName(*findArray(p), p),
             "ホストから cudaMemcpyToSymbol で写す");
}
// メンバの間の空きかもしれない: 同じ要素の、ほかの所は書いてある
static bool inHole(const Array& a, const char* p, unsigned size) {
    const size_t bytes = a.element.bytes, begin = size_t(a.p - region) + size_t(p - a.p) / bytes * bytes;
    for (size_t k = begin / 4; a.element.holes > size && k < (begin + bytes) / 4; k++)
        if (isWritten(k)) return true;
    return false;
}
void firstTouch(char* p, unsigned size, Kind kind, void* pc, const char* whole, bool written) {
    const Array* a = findArray(p);
    if (!a || p + size > a->p + a->bytes) return outOfBounds(p, size, kind, pc);
    if (kind == Kind::write || written || afterFailure() || (p != whole && inHole(*a, p, size))) return;
    std::string* const told = doubt(pc);
    if (!told) return;
    const size_t filled = a->shared || a->pitch ? 0 : filledBytes(*a);
    const std::string only = "値があるのは、初めの " + std::to_string(filled) + " バイトだけである: ";
    *told = complaint(
        pc,
        std::string("まだ誰も書いていない所を") + (kind == Kind::atomic ? "アトミック演算で" : "") +
            "読んだ: " + placeName(*a, p),
        a->shared && pipelined
            ? "まだ写し終えていないか、誰も書かない: 読む前に __pipeline_wait_prior() で待つ (cg なら cg::wait)"
        : a->shared ? "前のブロックの値が残っている: 読む前に、全員の所に書く (if で飛ばす人の所には 0 を入れる)"
        : a->pitch && size_t(p - a->p) % a->pitch >= a->width
            ? "cudaMallocPitch した幅より後で、行の間のすき間である: 幅は、要素の数ではなく、バイト数で渡す"
        : a->pitch     ? "行の途中である: cudaMemcpy2D や cudaMemset2D の幅は、要素の数ではなく、バイト数で渡す"
        : inHeap(a->p) ? "new した所の中身は決まっていない: 先に書くか、new int[n]() のように () を付ける"
        : filled && size_t(p - a->p) / a->element.bytes < filled
            ? only + "写すか埋めるときに渡すのは、要素の数ではなく、sizeof を掛けたバイト数である"
        : filled ? only + "その後にも、cudaMemset か cudaMemcpy で先に書く"
                 : "cudaMalloc した領域の中身は決まっていない: cudaMemset か cudaMemcpy で先に書く");
}
void toolAllocate(const Array& a) {
    addArray(a);
    if (memoryOf(a.p) == Memory::host || memoryOf(a.p) == Memory::managed) unfill(a.p, a.bytes);
}
void toolName(const Array& a) { nameArray(a); }
void toolRelease(const Array& a) {  // 時間を測るだけのこともあるので、誤りには数えない
    if (!copied && memoryOf(a.p) == Memory::device && isUnread(a) && !anyError() && !afterFailure())
        unread += "検査: カーネルが " + a.name +
                  " に書いた値を、誰も読んでいない: 結果なら、cudaMemcpy でホストに写す\n  " + a.site.file + ":" +
                  std::to_string(a.site.line) + "\n";
    forgetCells(a.p, a.bytes), removeArray(a);
}
static void unsetValue(size_t word, const Array& a, Site s) {
    const std::string line = writtenAt(word);
    if (line.empty() || !first("値がない" + line)) return;
    report("検査: 値を入れていない変数の値が、%sにある: %s\n  %s で書いた\n  %s:%d でホストに写した\n", space(a),
           elementName(a, region + 4 * word).c_str(), line.c_str(), s.file, s.line);
}
void toolHostRead(const void* p, size_t bytes, Site s) {
    const size_t offset = size_t((char*)p - region);
    const bool small = offset < kRegionBytes && copyRest((const char*)p, bytes, s);
    toolReserved(p, bytes);
    if (offset >= kRegionBytes || small) return void(copied = true);
    for (size_t k = offset / 4; k < (offset + bytes + 3) / 4; k++) {
        copied = copied || isFromKernel(k);
        const uint32_t value = *(const uint32_t*)(region + 4 * k);
        if (isWritten(k) && value != kUnset && value != kUnsetFloat) continue;
        const Array* a = findArray(region + 4 * k);
        if (a && value == (a->element.isFloat ? kUnsetFloat : kUnset)) unsetValue(k, *a, s);
        if (isWritten(k) || !a || inHole(*a, region + 4 * k, 4) ||
            !first("写した" + std::string(s.file) + std::to_string(s.line)))
            continue;
        const bool between = a->pitch && size_t(region + 4 * k - a->p) % a->pitch >= a->width;
        report("検査: まだ誰も書いていない所をホストに写した: %s\n  %s:%d\n  %s\n",
               placeName(*a, region + 4 * k).c_str(), s.file, s.line,
               between ? "cudaMallocPitch の行と行の間のすき間である: cudaMemcpy2D で写す"
                       : "カーネルが結果を書いていない: グリッドが全体を覆うか、if で除きすぎていないかを確かめる");
        return;
    }
}
}  // namespace cpu
