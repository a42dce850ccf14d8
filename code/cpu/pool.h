// pool.h: ブロックを動かす OS スレッド。1 度作ったら、プログラムの終わりまで使う。
#pragma once
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "worker.h"

namespace cpu {
struct Pool {
    // count 個の OS スレッド (呼んだスレッドも 1 つに数える) で share() を動かし、全部が終わるまで待つ
    void runOnAll(unsigned count, void (*share)(Worker&));
    ~Pool();

 private:
    std::vector<Worker*> workers;
    std::vector<std::thread> threads;
    std::mutex mutex;
    std::condition_variable wake, done;
    uint64_t generation = 0;
    unsigned wanted = 0, running = 0;  // この起動で働く OS スレッドの数、まだ終わっていない数
    void (*share)(Worker&) = nullptr;
    bool quit = false;

    void addWorker();
    void seat();
    void leave();
    void grow(unsigned count);
    void loop(unsigned k, uint64_t seen);
    void watch();  // watch.cpp
};

uint64_t blocksTaken();  // grid.cpp: 配り終えたブロックの数
// progress.cpp
void beginProgress(const Launch&, uint64_t blocks);
void showProgress(uint64_t done);
void endProgress();
}  // namespace cpu
