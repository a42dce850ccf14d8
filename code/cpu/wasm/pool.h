// wasm/pool.h: OS スレッドは 1 つしかない。協調起動では、待つブロックを置いて、他のブロックを動かす。
#pragma once
#include <coroutine>
#include <vector>

#include "../worker.h"

namespace cpu {
struct Pool {
    using Ready = bool (*)(uint64_t);
    void runOnAll(unsigned count, Ready mayStart);  // count 個の Worker を、終わるまで順に動かす

    template <class F> void change(F f) { f(); }
    struct Until {  // 他のブロックを動かして待つ
        Ready ready;
        uint64_t x;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> h) const noexcept;
        void await_resume() const noexcept {}
    };
    Until until(Ready ready, uint64_t x) { return {ready, x}; }

 private:
    std::vector<Worker*> workers;
};
void forgetFrames();  // wasm/stack.cpp: 前の起動が残したコルーチンを忘れる (途中でやめたブロックのもの)
}  // namespace cpu
