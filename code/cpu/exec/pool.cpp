// pool.cpp: OS スレッドを作り、起動のたびに起こし、終わりを待つ。
#include "exec.h"

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;

namespace cpu {
__thread Here here = {};
__thread Poll poll;
__thread Worker* self;

// 起動するホストの OS スレッドが変わったら、最初の働き手 (番号 1) の席に着く
void Pool::seat() {
    static thread_local bool prepared = false;
    if (!prepared) useAlternateStack();
    prepared = true;
    std::lock_guard<std::mutex> lock(mutex);
    self = workers[0];
    self->lane = &here.lane;
    self->os = pthread_self();
}
void Pool::leave() {  // この OS スレッドが終わっても、見張りが触れないように
    static unsigned nobody = 0;
    std::lock_guard<std::mutex> lock(mutex);
    workers[0]->lane = &nobody;
}
void Pool::addWorker() {
    Worker* w = new Worker();
    w->lane = &here.lane;
    w->os = pthread_self();
    self = w;
    std::lock_guard<std::mutex> lock(mutex);
    workers.push_back(w);
    w->number = unsigned(workers.size());
}
void Pool::grow(unsigned count) {
    if (workers.empty()) {
        addWorker();
        installFaultHandler();
        threads.emplace_back([this] { watch(); });
    }
    while (workers.size() < count) {
        const unsigned k = unsigned(workers.size());
        const uint64_t seen = generation;
        threads.emplace_back([this, k, seen] { loop(k, seen); });
        std::unique_lock<std::mutex> lock(mutex);
        done.wait(lock, [&] { return workers.size() > k; });
    }
}
void Pool::loop(unsigned k, uint64_t seen) {
    useAlternateStack();
    addWorker();
    done.notify_all();
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
        wake.wait(lock, [&] { return quit || generation != seen; });
        if (quit) return;
        seen = generation;
        if (k >= wanted) continue;
        lock.unlock();
        share(*self);
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
    seat();
    struct Leave {
        Pool& pool;
        ~Leave() { pool.leave(); }
    } const leave{*this};
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
