// children.cpp: カーネルの中からの起動 (動的並列)。
// 起動したものは、起動したグリッドの全ブロックが終わってから、起動した順に動く。孫は、子が終わる前に動き終わる。
// CUDA が約束するのは、子がすべて終わるまで親のグリッドが終わったことにならないこと、だけである。
#include <memory>
#include <vector>

#include "cpu/launch.h"
#include "device.h"

namespace cpu {
using List = std::vector<std::unique_ptr<Operation>>;
static List children, tails;  // tails: cudaStreamTailLaunch に起動したもの。子がすべて終わってから動く
void defer(cudaStream_t s, Operation* operation) {
    const Exclusive lock;
    (s == cudaStreamTailLaunch ? tails : children).emplace_back(operation);
}
void runChildren() {
    List now, last;
    now.swap(children);
    last.swap(tails);
    for (auto* list : {&now, &last})
        for (auto& operation : *list)
            if (!stickyError()) operation->run();
}
}  // namespace cpu
