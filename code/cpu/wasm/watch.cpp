// wasm/watch.cpp: 見張る OS スレッドはない。終わらないプログラムは、動かしているページが Worker ごと止める。
// ただし、アトミック演算で同じ場所を見て回り続けるスレッドは、ここで気づく: 途中で譲れないので、値を変える者が動かない。
#include "../worker.h"

namespace cpu {
void polled(const void* p) {
    constexpr unsigned kMany = 1 << 24;
    static struct {
        const void* p;
        uint64_t block;
        unsigned lane, count;
    } last;
    if (!here.inKernel) return;
    if (last.p != p || last.block != here.blocks || last.lane != here.lane) last = {p, here.blocks, here.lane, 0};
    else if (++last.count == kMany) {
        if (claimReport()) {
            report(
                "CPU デバイス: 終わらないループ: %s が同じ所を %u 回見ても進まない: "
                "同じ状態を繰り返して、何かが変わるのを待っている\n",
                threadName().c_str(), kMany);
            adviseWaiting();
            reportKernel();
        }
        abortBlock(cudaErrorLaunchTimeout);
    }
}
}  // namespace cpu
