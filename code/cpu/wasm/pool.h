// wasm/pool.h: OS スレッドは 1 つしかない。協調起動では、待つブロックを置いて、他のブロックを動かす。
#pragma once
#include "../exec/exec.h"

namespace cpu {
struct Pool {
    using Ready = bool (*)(uint64_t);
    void runOnAll(unsigned count, Ready mayStart);  // count 個の Worker を、終わるまで順に動かす

    template <class F> void change(F f) { f(); }
    void until(Ready ready, uint64_t x) {  // このブロックの続きを動かすのは、ready になってから
        self->ready = ready;
        self->readyArgument = x;
    }

 private:
    std::vector<Worker*> workers;
};
void forgetFrames();  // wasm/stack.cpp: 前の起動が残したコルーチンを忘れる (途中でやめたブロックのもの)
extern "C" void* cpu_next;  // wasm/stack.cpp: 次に動かす続き
}  // namespace cpu
