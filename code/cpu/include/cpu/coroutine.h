// coroutine.h: 眠るとは、コルーチンを中断することである (WebAssembly)。
// 待つ関数を呼ぶと、初めて眠るか終わるまでは、普通の関数のように動く。眠ったら、呼んだ関数も眠り、続きから順に戻る。
#pragma once
#include <coroutine>
#include <optional>
#include <utility>

#define CPU_WAITS(T) ::cpu::Waiting<T>
#define CPU_WAIT co_await
#define CPU_RETURN co_return

namespace cpu {
// wasm/stack.cpp
extern void* nextThread;  // 次に動かす続き
void* newFrame(size_t bytes);  // コルーチンの変数を置く所
void deleteFrame(void*, size_t bytes);
void runThreads();  // nextThread を、ブロックがなくなるまで動かす
extern "C" {        // fiber.cpp: いまのスレッドを、続き frame で眠らせる。次に動かす続きを返す
void* cpu_sleep_barrier(const Site*, void* frame);
void* cpu_sleep_warp(Request*, void* frame);
void* cpu_sleep_active(Request*, void* frame);
void* cpu_sleep_exit(const void*, void* frame);
void* cpu_sleep_yield(const Site*, void* frame);
}
inline constexpr char kFresh = 0;  // まだ始めていないスレッドの続きは、この番地

// ---------------------------------------------------------------- 眠る
template <class Argument, void* (*sleep)(Argument, void*)> struct Sleep {
    Argument argument;
    CPU_PLAIN bool await_ready() const noexcept { return false; }
    CPU_PLAIN void await_suspend(std::coroutine_handle<> h) const noexcept {
        nextThread = sleep(argument, h.address());
    }
    CPU_PLAIN void await_resume() const noexcept {}
};
CPU_PLAIN inline Sleep<const Site*, cpu_sleep_barrier> barrier(const Site* s) { return {s}; }
CPU_PLAIN inline Sleep<const Site*, cpu_sleep_yield> yield(const Site* s = nullptr) { return {s}; }
CPU_PLAIN inline Sleep<const Site*, cpu_sleep_yield> sleep(const Site* s, unsigned) { return yield(s); }
template <class Read, void* (*sleep)(Request*, void*)> struct RequestSleep {
    Request request;
    Read read;
    CPU_PLAIN bool await_ready() const noexcept { return false; }
    CPU_PLAIN void await_suspend(std::coroutine_handle<> h) noexcept { nextThread = sleep(&request, h.address()); }
    CPU_PLAIN auto await_resume() const noexcept { return read(request.result); }
};
template <class Read> CPU_PLAIN RequestSleep<Read, cpu_sleep_warp> warp(Request r, Read read) { return {r, read}; }
struct Lanes {
    CPU_PLAIN unsigned operator()(uint64_t lanes) const { return unsigned(lanes); }
};
CPU_PLAIN inline RequestSleep<Lanes, cpu_sleep_active> activeMask(const Site* s) {  // 同じ行に来たレーンの組
    return {{s, Op::active, 0, 0, uintptr_t(s), 0, {4, false}}, {}};
}
void polled(const void* p);  // wasm/watch.cpp: p を見ても変わらなかった。ここでは譲れないので、数えて、多すぎればやめる

// わざと誤ったリストの left += right (rewrite)。2 回に 1 回ほど、読んでから書くまでの間に譲る
bool interrupted();
#define CPU_RACE(left, operation, right)                  \
    do {                                                  \
        auto cpu_old = left;                              \
        if (::cpu::interrupted()) co_await::cpu::yield(); \
        left = cpu_old operation(right);                  \
    } while (0)

// ---------------------------------------------------------------- 待つ関数
struct WaitingFunction {
    std::coroutine_handle<> caller;  // 終わるのを待っている関数
    bool kernel = false;  // カーネルなので、終わるとスレッドが終わる

    static CPU_PLAIN void* operator new(size_t bytes) { return newFrame(bytes); }
    static CPU_PLAIN void operator delete(void* p, size_t bytes) { deleteFrame(p, bytes); }
    CPU_PLAIN std::suspend_never initial_suspend() const noexcept { return {}; }
    struct Finish {
        CPU_PLAIN bool await_ready() const noexcept { return false; }
        template <class Promise> CPU_PLAIN void await_suspend(std::coroutine_handle<Promise> h) const noexcept {
            const WaitingFunction& f = h.promise();
            if (f.caller) return f.caller.resume();
            if (!f.kernel) return;  // 1 度も眠らなかった
            h.destroy();
            nextThread = cpu_sleep_exit(nullptr, (void*)&kFresh);
        }
        CPU_PLAIN void await_resume() const noexcept {}
    };
    CPU_PLAIN Finish final_suspend() const noexcept { return {}; }
    CPU_PLAIN void unhandled_exception() const noexcept {}
};
template <class T> struct WaitingValue : WaitingFunction {
    std::optional<T> value;
    CPU_PLAIN void return_value(T v) { value.emplace(std::move(v)); }
    CPU_PLAIN T take() { return std::move(*value); }
};
template <> struct WaitingValue<void> : WaitingFunction {
    CPU_PLAIN void return_void() const {}
    CPU_PLAIN void take() const {}
};
template <class T> struct Waiting {
    struct promise_type : WaitingValue<T> {
        CPU_PLAIN Waiting get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    };
    std::coroutine_handle<promise_type> frame;
    CPU_PLAIN bool await_ready() const noexcept { return frame.done(); }
    CPU_PLAIN void await_suspend(std::coroutine_handle<> caller) const noexcept { frame.promise().caller = caller; }
    CPU_PLAIN T await_resume() const {
        struct End {
            std::coroutine_handle<promise_type> frame;
            CPU_PLAIN ~End() { frame.destroy(); }
        } end{frame};
        return frame.promise().take();
    }
};

// ---------------------------------------------------------------- カーネル
// カーネルの呼び出し call を、1 つのスレッドとして、またはブロックの全スレッドとして動かす
template <class Call> struct Threads {
    static CPU_PLAIN bool sleeps(Call& call) {  // 終わるまで動かす。途中で眠ったら true
        if constexpr (std::is_void<decltype(call())>::value) {
            call();
            return false;
        } else {
            const auto kernel = call();
            const bool done = kernel.await_ready();
            if (done) kernel.frame.destroy();
            else kernel.frame.promise().kernel = true;
            return !done;
        }
    }
    static CPU_PLAIN void one(void* call) {
        if (!sleeps(*(Call*)call)) nextThread = cpu_sleep_exit(nullptr, (void*)&kFresh);
    }
    static CPU_PLAIN void all(void* call) {  // 順に 1 つずつ、普通の関数呼び出しで。誰かが眠ると、そこからはファイバー
        unsigned lane = 0;
        for (unsigned z = 0; z < here.blockSize.z; z++)
            for (unsigned y = 0; y < here.blockSize.y; y++)
                for (unsigned x = 0; x < here.blockSize.x; x++) {
                    threadIdx = {x, y, z};
                    here.lane = lane++;
                    if (sleeps(*(Call*)call)) return runThreads();
                }
    }
};
}  // namespace cpu
#define __syncthreads() (CPU_WAIT ::cpu::barrier(CPU_SITE))
#define __activemask() (CPU_WAIT ::cpu::activeMask(CPU_SITE))
