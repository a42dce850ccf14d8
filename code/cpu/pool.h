// pool.h: ブロックを動かす OS スレッド。1 度作ったら、プログラムの終わりまで使う。
#pragma once
#ifdef __wasm__
#include "wasm/pool.h"
#else
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "worker.h"

namespace cpu {
struct Pool {
    using Ready = bool (*)(uint64_t);
    // count 個の OS スレッド (呼んだスレッドも 1 つに数える) が、mayStart になってから受け持ちを動かす。
    // 全部が終わるまで待つ
    void runOnAll(unsigned count, Ready mayStart);
    ~Pool();

    // 協調起動のバリア: 他の OS スレッドが見ているものを変える。変わって ready になるまで待つ
    template <class F> void change(F f) {
        {
            std::lock_guard<std::mutex> lock(gridMutex);
            f();
        }
        gridWake.notify_all();
    }
    void until(Ready ready, uint64_t x) {
        std::unique_lock<std::mutex> lock(gridMutex);
        gridWake.wait(lock, [&] { return ready(x); });
    }

 private:
    std::vector<Worker*> workers;
    std::vector<std::thread> threads;
    std::mutex mutex;
    std::condition_variable wake, done;
    std::mutex gridMutex;
    std::condition_variable gridWake;
    uint64_t generation = 0;
    unsigned wanted = 0, running = 0;  // この起動で働く OS スレッドの数、まだ終わっていない数
    Ready mayStart = nullptr;
    bool quit = false;

    void addWorker();
    void seat();
    void leave();
    void grow(unsigned count);
    void loop(unsigned k, uint64_t seen);
    void share(Worker&);
    void watch();  // watch.cpp
};
}  // namespace cpu
#endif

namespace cpu {
uint64_t blocksTaken();  // grid.cpp: 配り終えたブロックの数
// progress.cpp
void beginProgress(const Launch&, uint64_t blocks);
void showProgress(uint64_t done);
void endProgress();
}  // namespace cpu
