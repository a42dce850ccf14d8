// launch.cpp: 起動してよいかを調べる。カーネルの中からの起動を、後で動かす。上限は、いまの GPU と同じにする。
#include <cstdio>

#include "exec.h"

namespace cpu {
cudaError_t checkLaunch(const Launch& l) {
    if (stickyError()) return remember(stickyError());
    const dim3 &g = l.grid, &b = l.block;
    const uint64_t threads = uint64_t(b.x) * b.y * b.z, blocks = uint64_t(g.x) * g.y * g.z;
    char why[200] = "";
    cudaError_t e = cudaErrorInvalidValue;  // CUDA 13 の GPU が返すもの。以前は cudaErrorInvalidConfiguration だった
    if (!blocks) snprintf(why, sizeof why, "グリッドの大きさが 0 である");
    else if (!threads) snprintf(why, sizeof why, "ブロックの大きさが 0 である");
    else if (threads > kMaxThreads)
        snprintf(why, sizeof why, "1 ブロックに %llu スレッドは多すぎる (上限 %u)", (unsigned long long)threads,
                 kMaxThreads);
    else if (b.z > 64) snprintf(why, sizeof why, "blockDim.z = %u は大きすぎる (上限 64)", b.z);
    else if (g.x > 2147483647u || g.y > 65535 || g.z > 65535)
        snprintf(why, sizeof why, "グリッドが大きすぎる (上限 2147483647, 65535, 65535)");
    else if (l.sharedBytes > allowedShared())
        snprintf(why, sizeof why, "動的共有メモリ %zu バイトは多すぎる (上限 %zu)", l.sharedBytes, allowedShared());
    else if (l.cooperative && blocks > unsigned(kSMs * occupancy(int(threads), l.sharedBytes))) {
        e = cudaErrorCooperativeLaunchTooLarge;
        snprintf(why, sizeof why, "協調起動のグリッド %llu ブロックは、同時に載る %d ブロックを超える",
                 (unsigned long long)blocks, kSMs * occupancy(int(threads), l.sharedBytes));
    } else if (!exists(l.stream)) {
        e = cudaErrorInvalidResourceHandle;
        snprintf(why, sizeof why, "ストリームは、もう破棄したか、作っていない");
    } else return cudaSuccess;
    report("CPU デバイス: %s を起動できない: %s\n  %s:%d で %s<<<%s, %s>>>\n", l.name, why, l.site->file, l.site->line,
           l.name, triple(g).c_str(), triple(b).c_str());
    return remember(e);
}

// カーネルの中からの起動 (動的並列)。
// 起動したものは、起動したグリッドの全ブロックが終わってから、起動した順に動く。孫は、子が終わる前に動き終わる。
// CUDA が約束するのは、子がすべて終わるまで親のグリッドが終わったことにならないこと、だけである。
using List = std::vector<std::unique_ptr<Operation>>;
static List children, tails;  // tails: cudaStreamTailLaunch に起動したもの。子がすべて終わってから動く
void defer(cudaStream_t s, std::unique_ptr<Operation> work) {
    const Exclusive lock;
    if (!muted) (s == cudaStreamTailLaunch ? tails : children).push_back(std::move(work));  // muted: 試しに動かしている
}
void runChildren() {
    List now, last;
    now.swap(children);
    last.swap(tails);
    for (auto* list : {&now, &last})
        for (auto& work : *list)
            if (!stickyError()) work->run();
}
}  // namespace cpu
