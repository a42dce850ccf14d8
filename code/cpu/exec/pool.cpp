// pool.cpp: OS スレッドを作り、起動のたびに起こし、終わりを待つ。
#include "exec.h"

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;

namespace cpu {
__thread Here here = {};
__thread Poll poll;
__thread Worker* self;

void Pool::sit(Worker& w) {  // この OS スレッドが、w の席に着く。番号 1 の席には、起動するホストの OS スレッドが着く
    self = &w;
    static thread_local const bool prepared = (useAlternateStack(), watchMe(), true);
    (void)prepared;
}
void Pool::grow(unsigned count) {
    deviceUsed = true;
    std::lock_guard<std::mutex> lock(mutex);
    while (workers.size() < count) {
        Worker* const w = new Worker();
        workers.push_back(w);
        w->number = unsigned(workers.size());
        if (w->number > 1) threads.emplace_back([this, w, seen = generation] { loop(*w, seen); });
    }
}
void Pool::loop(Worker& w, uint64_t seen) {
    sit(w);
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
        wake.wait(lock, [&] { return quit || generation != seen; });
        if (quit) return;
        seen = generation;
        if (w.number > wanted) continue;
        lock.unlock();
        share(w);
        lock.lock();
        if (--running == 0) done.notify_all();
    }
}
void Pool::share(Worker& w) {
    until(mayStart, 0);
    beginShare(w);
    runBlocks(w);
    endShare(w);
}
void Pool::runOnAll(unsigned count, Ready ready) {
    grow(count);
    sit(*workers[0]);
    mayStart = ready;
    if (count == 1) return share(*self);
    {
        std::lock_guard<std::mutex> lock(mutex);
        generation++;
        wanted = count;
        running = count - 1;
    }
    wake.notify_all();
    share(*self);
    std::unique_lock<std::mutex> lock(mutex);
    done.wait(lock, [&] { return running == 0; });
}
Pool::~Pool() {
    {
        std::lock_guard<std::mutex> lock(mutex);
        quit = true;
    }
    wake.notify_all();
    for (auto& t : threads) t.join();
}
}  // namespace cpu
