// launch.h: カーネルの起動。
// rewrite が kernel<<<grid, block>>>(x) を cpu::launch(場所, 名前, "x", kernel, grid, block)(x) にする。
//   launch → checkLaunch → submit (ストリームに入れる。グラフに記録中でなければ、その場で) → runGrid
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
    bool cooperative = false;
    const char* arguments = "";  // 引数の、書かれたままの文
    void* closure = nullptr;  // 引数を持ってカーネルを呼ぶもの
    size_t closureBytes = 0;
    void* (*run)(void* closure) = nullptr;  // cpu/park.h の Threads
};
struct Arguments {  // 呼び出しの引数の、書かれたままの文と、その中の何番目か
    const char* text;
    int number;
};
cudaError_t checkLaunch(const Launch&);
void checkPointer(const Launch&, int argument, const void* p);
const char* kernelName(const void* kernel);
void runGrid(const Launch&);  // 全ブロックを動かし、終わるまで待つ
struct Operation {  // ストリームに入れる、コピーや起動の 1 つ。std::function は、リストのコンパイルを遅くする
    virtual ~Operation() {}
    virtual void run() = 0;
    virtual Operation* copy() const = 0;
};
template <class F> struct OperationOf : Operation {
    F f;
    OperationOf(const F& f) : f(f) {}
    void run() override { f(); }
    Operation* copy() const override { return new OperationOf(f); }
};
bool exists(cudaStream_t);     // 作ってあり、まだ破棄していないストリームか
bool capturing(cudaStream_t);  // このストリームはグラフに記録中か
// グラフに記録中か、カーネルの中なら、写しを後で動かす。そうでなければ、その場で動かす (stream.cpp)
void submit(cudaStream_t, Operation&, bool host = false);
template <class F> void enqueue(cudaStream_t s, const F& f, bool host = false) {  // host: ホストの関数
    OperationOf<F> operation(f);
    submit(s, operation, host);
}
template <class F> auto launchWork(const Launch& launch, F call) {
    return [l = launch, call]() mutable {
        l.closure = &call;
        l.closureBytes = sizeof call;
        l.run = Threads<F>::run;
        runGrid(l);
    };
}
template <class... Args> void checkArguments(const Launch& l, const Args&... args) {
    int k = 0;
    const auto check = [&](const auto& a) {
        using T = typename std::decay<decltype(a)>::type;
        k++;
        if constexpr (std::is_pointer<T>::value && !std::is_function<typename std::remove_pointer<T>::type>::value)
            checkPointer(l, k, (const void*)a);
    };
    (check(args), ...);
}
// 配列は、ポインタで渡る。確保したメモリを持つクラスは写せないので、なれるポインタになって渡る
template <class T> auto passed(T& v) {
    if constexpr (std::is_copy_constructible<T>::value) return v;
    else return +v;
}
template <class Kernel> struct Launcher {
    Launch launch;
    Kernel kernel;
    template <class... Args> void operator()(Args&&... args) {
        static_assert(!(std::is_function<typename std::remove_reference<Args>::type>::value || ...),
                      "関数の名前は、カーネルの引数に渡せない: ホストのアドレスが渡る。デバイスの変数に入れておくか、"
                      "テンプレートの引数かラムダで渡す");
        start(passed(args)...);
    }
    template <class... Args> void start(Args... args) {
        if (checkLaunch(launch) != cudaSuccess) return;
        checkArguments(launch, args...);
        Kernel k = kernel;
        enqueue(launch.stream, launchWork(launch, [k, args...]() CPU_PLAIN { return k(args...); }));
    }
};
template <class Kernel>
Launcher<Kernel> launch(const Site* site, const char* name, const char* arguments, Kernel kernel, dim3 grid, dim3 block,
                        size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
    return {{site, name, grid, block, sharedBytes, stream, false, arguments}, kernel};
}
// 引数に {1, 2} のある起動。引数の型は、カーネルの型から決まる
template <class R, class... P> auto launchTyped(const Site* site, const char* name, const char* arguments,
                                                R (*kernel)(P...), dim3 grid, dim3 block, size_t sharedBytes = 0,
                                                cudaStream_t stream = nullptr) {
    return [launcher = launch(site, name, arguments, kernel, grid, block, sharedBytes, stream)](P... args) mutable {
        launcher(args...);
    };
}
int occupancy(int block, size_t sharedBytes);  // 1 つの SM に同時に載るブロックの数
void allowDynamicShared(size_t bytes);
}  // namespace cpu
#define CPU_SITE                                               \
    ([]() -> const ::cpu::Site* {                              \
        static constexpr ::cpu::Site site{__FILE__, __LINE__}; \
        return &site;                                          \
    }())
