// wasm/pool.cpp: OS スレッドは 1 つなので、Worker を順に動かす。協調起動では、待つブロックを置いて、他を動かす。
#include "../exec/exec.h"

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;

namespace cpu {
__thread Here here = {};
__thread Worker* self;

void forgetFrames();  // stack.cpp: 前の起動が残したコルーチンを忘れる (途中でやめたブロックのもの)
extern "C" void* cpu_next;  // stack.cpp: 次に動かす続き

void change(void (*f)()) { f(); }
void until(Ready ready, uint64_t x) {  // このブロックの続きを動かすのは、ready になってから
    self->ready = ready;
    self->readyArgument = x;
}
static std::vector<Worker*> workers;
void runOnAll(unsigned count, Ready) {
    deviceUsed = true;
    forgetFrames();
    while (workers.size() < count) {
        workers.push_back(new Worker());
        workers.back()->number = unsigned(workers.size());
    }
    auto run = [&](Worker& w) {
        if (w.waitingForGrid || w.givesWay) cpu_next = w.sp[here.lane];
        else beginShare(w), w.watched = true;  // いつも自分で見る (watch.cpp)
        runBlocks(w);
        if (!w.waitingForGrid && !w.givesWay) endShare(w);
        w.here = here;
    };
    auto enter = [](Worker& w) {
        self = &w;
        here = w.here;
        blockIdx = here.block;
        setCurrent(w, here.lane);
    };
    for (unsigned k = 0; k < count; k++) enter(*workers[k]), run(*workers[k]);
    for (bool waiting = true; waiting;) {
        waiting = false;
        for (unsigned k = 0; k < count; k++) {
            enter(*workers[k]);
            waiting |= self->busy;
            if (self->busy && self->ready(self->readyArgument)) run(*self);
        }
    }
    enter(*workers[0]);
}
}  // namespace cpu
