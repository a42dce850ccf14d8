// book.cuh: どのリストも使う、ホスト側だけの道具。時間と報告の中身は harness.cpp、総和の入力と検査は sum.cpp にある。
// 章で教えることはここに置かない (カーネルの部品はない)。
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

// 1 ブロックのスレッド数。make run BLOCK=64 のように、動かすときに変えられる。
#ifndef BLOCK
#define BLOCK 256
#endif

// CUDA の関数の戻り値を確かめる。失敗なら場所と理由を書いて、終了コード 3 で止まる。
#define CHECK(call) ::book::check((call), #call, __FILE__, __LINE__)
#define CHECK_AT(call, file, line) ::book::check((call), #call, file, line)

namespace book {

enum ExitCode { kAgree = 0, kDisagree = 1, kBadUsage = 2, kDeviceFailed = 3 };

void check(cudaError_t e, const char* call, const char* file, int line);

// 呼んだ人の場所を、黙って受け取る引数。失敗したときは、ここでなく、その行を言う
#define CALLED_FROM const char *file = __builtin_FILE(), int line = __builtin_LINE()

// --8<-- [start:array]
// デバイスの配列。作るときに場所を取り、要らなくなると (} まで来ると) 返す
template <class T> struct Array {
    T* data = nullptr;

    explicit Array(size_t n, CALLED_FROM) { CHECK_AT(cudaMalloc(&data, n * sizeof(T)), file, line); }
    Array(const T* x, size_t n, CALLED_FROM) : Array(n, file, line) {  // ホストの x の n 個を送る
        CHECK_AT(cudaMemcpy(data, x, n * sizeof(T), cudaMemcpyHostToDevice), file, line);
    }
    ~Array() { CHECK(cudaFree(data)); }
    Array(const Array&) = delete;                // 写すと、2 度返すことになる
    operator T*() const { return data; }  // カーネルにも CUDA の関数にも、ポインタとして渡せる

    void copyTo(T* x, size_t n, CALLED_FROM) const {  // 初めの n 個を、ホストの x に戻す
        CHECK_AT(cudaMemcpy(x, data, n * sizeof(T), cudaMemcpyDeviceToHost), file, line);
    }
    T first(CALLED_FROM) const {
        T v;
        return copyTo(&v, 1, file, line), v;
    }
};
// --8<-- [end:array]

// カーネルの時間はここから。入力が L2 に残っていると速く見えるので、先に L2 の 4 倍の別の領域を読んで追い出す。
void timerStart();
// ここまで。
void timerStop();

// 深さ: 1 つの要素が結果になるまでに通る足し算の回数。リストのアルゴリズムが決め、許容誤差が決まる。
using Depth = double (*)(double n);
double tree(double n);    // 木の形に足す
double serial(double n);  // 1 個の変数に順に足す

// 1 つの型の総和。sum はホストの配列 x (長さ n) の合計を GPU で求めて返す。
// T は int, float, double, long long のどれか。Index は int か long long
struct Trial;
struct Typed {
    template <class T, class Index> Typed(T (*sum)(const T* x, Index n), Depth depth = tree);
    std::shared_ptr<Trial> trial;
};

// リストの main。いくつかの型で動くリストは、初めの型が、選ばない (TYPE= のない) ときの型になる
int run(int argc, char** argv, const char* file, std::initializer_list<Typed> sums);
template <class T, class Index>
int run(int argc, char** argv, const char* file, T (*sum)(const T* x, Index n), Depth depth = tree) {
    return run(argc, argv, file, {Typed(sum, depth)});
}

// GPU だけで動くものを使うリストの、CPU デバイスでの main
int gpuOnly(const char* what);

// MPI か NCCL を使うリストの、それなしで作られたときの main
int without(const char* what);

// いくつかの装置やプロセスで足すリストは、報告の「装置」に × 2 枚 のように添える
void workers(int count, const char* unit);

}  // namespace book
