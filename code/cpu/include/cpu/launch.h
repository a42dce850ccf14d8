// launch.h: カーネルの起動。
// rewrite が kernel<<<grid, block>>>(x) を cpu::launch(場所, 名前, kernel, grid, block)(x) にする。
//   launch → checkLaunch → enqueue (ストリームに入れる。グラフに記録中でなければ、その場で) → runKernel → runGrid
#pragma once
#include <tuple>
#include <utility>

#include "wait.h"

namespace cpu {
struct Launch {
    const Site* site;
    const char* name;
    dim3 grid, block;
    size_t sharedBytes;
    cudaStream_t stream;
    bool cooperative;
    void* closure;  // 引数を持ってカーネルを呼ぶもの
    void (*one)(void* closure);  // 1 つのスレッドを最後まで動かす
    void (*all)(void* closure);  // ブロックの全スレッドを順に動かす (誰かが待つまで)
};
cudaError_t checkLaunch(const Launch&);
void checkPointer(const Launch&, int argument, const void* p);
const char* kernelName(const void* kernel);
struct Operation* kernelCall(const Launch&, const void* kernel, void** args);  // kernel.h で覚えたカーネルの呼び出し
void runGrid(const Launch&);  // 全ブロックを動かし、終わるまで待つ

struct Operation {  // ストリームに入れる、コピーや起動の 1 つ
    virtual ~Operation() {}
    virtual void run() = 0;
};
template <class F> struct OperationOf : Operation {
    F f;
    OperationOf(const F& f) : f(f) {}
    void run() override { f(); }
};
bool capturing(cudaStream_t);  // このストリームはグラフに記録中か
void capture(cudaStream_t, Operation*, cudaGraphNodeType);
void defer(cudaStream_t, Operation*);  // カーネルの中から: グリッドが終わってから動かす (children.cpp)
template <class F>
void enqueue(cudaStream_t s, const F& operation, cudaGraphNodeType type = cudaGraphNodeTypeKernel) {
    if (here.inKernel) {
        here.inKernel = false;  // 引数を写すのは、カーネルの読み書きではない
        Operation* later = new OperationOf<F>(operation);
        here.inKernel = true;
        defer(s, later);
    } else if (capturing(s)) capture(s, new OperationOf<F>(operation), type);
    else operation();
}

template <class Call> void runKernel(Launch l, Call call) {
    l.closure = &call;
    l.one = Threads<Call>::one;
    l.all = Threads<Call>::all;
    runGrid(l);
}
inline void checkArguments(const Launch&, int) {}
template <class T, class... Rest> void checkArguments(const Launch& l, int k, const T& first, const Rest&... rest) {
    if constexpr (std::is_pointer<T>::value && !std::is_function<typename std::remove_pointer<T>::type>::value)
        checkPointer(l, k, (const void*)first);
    checkArguments(l, k + 1, rest...);
}
template <class Kernel> struct Launcher {
    Launch launch;
    Kernel kernel;
    template <class... Args> void operator()(Args... args) {
        if (checkLaunch(launch) != cudaSuccess) return;
        checkArguments(launch, 1, args...);
        Launch l = launch;
        Kernel k = kernel;
        enqueue(l.stream, [l, k, args...]() { runKernel(l, [k, args...]() CPU_PLAIN { return k(args...); }); });
    }
};
template <class Kernel> Launcher<Kernel> launch(const Site* site, const char* name, Kernel kernel, dim3 grid,
                                                dim3 block, size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
    return {{site, name, grid, block, sharedBytes, stream, false, nullptr, nullptr, nullptr}, kernel};
}
// 引数に {1, 2} のある起動。引数の型は、カーネルの型から決まる
template <class R, class... P> struct TypedLauncher {
    Launcher<R (*)(P...)> launcher;
    void operator()(P... args) { launcher(args...); }
};
template <class R, class... P>
TypedLauncher<R, P...> launchTyped(const Site* site, const char* name, R (*kernel)(P...), dim3 grid, dim3 block,
                                   size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
    return {launch(site, name, kernel, grid, block, sharedBytes, stream)};
}
int occupancy(int block, size_t sharedBytes);  // 1 つの SM に同時に載るブロックの数
void allowDynamicShared(size_t bytes);
}  // namespace cpu
#define CPU_SITE                                               \
    ([]() -> const ::cpu::Site* {                              \
        static constexpr ::cpu::Site site{__FILE__, __LINE__}; \
        return &site;                                          \
    }())
