// pool.cpp: OS スレッドを作り、起動のたびに起こし、終わりを待つ。
#include <condition_variable>
#include <mutex>
#include <thread>

#include "exec.h"

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;

namespace cpu {
__thread Here here = {};
__thread Poll poll;
__thread Worker* self;

static struct Pool {
    std::vector<Worker*> workers;
    std::vector<std::thread> threads;
    std::mutex mutex;
    std::condition_variable wake, done;
    uint64_t generation = 0;
    unsigned wanted = 0, running = 0;  // この起動で働く OS スレッドの数、まだ終わっていない数
    Ready mayStart = nullptr;
    bool quit = false;

    template <class F> void change(F f) {
        {
            std::lock_guard<std::mutex> lock(mutex);
            f();
        }
        wake.notify_all();
    }
    ~Pool() {
        change([this] { quit = true; });
        for (auto& t : threads) t.join();
    }
} pool;
void change(void (*f)()) { pool.change(f); }
void until(Ready ready, uint64_t x) {
    std::unique_lock<std::mutex> lock(pool.mutex);
    pool.wake.wait(lock, [&] { return ready(x); });
}
static void sit(Worker& w) {  // この OS スレッドが、w の席に着く。番号 1 の席には、起動するホストの OS スレッドが着く
    self = &w;
    static thread_local const bool prepared = (useAlternateStack(), watchMe(), true);
    (void)prepared;
}
static void share(Worker& w) {
    until(pool.mayStart, 0);
    beginShare(w);
    runBlocks(w);
    endShare(w);
}
static void loop(Worker& w, uint64_t seen) {
    sit(w);
    std::unique_lock<std::mutex> lock(pool.mutex);
    for (;;) {
        pool.wake.wait(lock, [&] { return pool.quit || pool.generation != seen; });
        if (pool.quit) return;
        seen = pool.generation;
        if (w.number > pool.wanted) continue;
        lock.unlock();
        share(w);
        lock.lock();
        if (--pool.running == 0) pool.done.notify_all();
    }
}
static void grow(unsigned count) {
    deviceUsed = true;
    std::lock_guard<std::mutex> lock(pool.mutex);
    while (pool.workers.size() < count) {
        Worker* const w = new Worker();
        pool.workers.push_back(w);
        w->number = unsigned(pool.workers.size());
        if (w->number > 1) pool.threads.emplace_back(loop, std::ref(*w), pool.generation);
    }
}
void runOnAll(unsigned count, Ready mayStart) {
    grow(count);
    sit(*pool.workers[0]);
    pool.mayStart = mayStart;
    if (count == 1) return share(*self);
    pool.change([&] {
        pool.generation++;
        pool.wanted = count;
        pool.running = count - 1;
    });
    share(*self);
    std::unique_lock<std::mutex> lock(pool.mutex);
    pool.done.wait(lock, [&] { return pool.running == 0; });
}
}  // namespace cpu
