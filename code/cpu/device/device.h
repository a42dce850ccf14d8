// device.h: この装置は何か。上限、装置の性質、エラー、OS に頼むこと。部屋は 5 つで、どれもヘッダは 1 つ。後のものの
// ヘッダだけが前のものを知る: report (報告)、device (ここ)、
// memory (配列)、exec (スレッドとブロック)、stream (順に動く仕事)。
#pragma once
#include <chrono>
#include <mutex>

#include "../report/report.h"

namespace cpu {
constexpr unsigned kMaxThreads = 1024;  // 1 ブロックのスレッド数の上限
constexpr size_t kDefaultShared = 48 * 1024;  // 何もしないで使える動的共有メモリ
constexpr size_t kMaxShared = 227 * 1024;  // cudaFuncSetAttribute で許せる上限
constexpr size_t kStackBytes = 64 * 1024;  // CUDA のスレッド 1 つのスタック
constexpr int kStuckSeconds = 4;  // これだけ進まないスレッドは、来ない相手を待っているとみなす
constexpr int kSMs = 4;  // どの計算機でも同じグリッドになるように、コアの数によらない
inline double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
inline bool coin() {
    static thread_local uint32_t x = 2463534242u;  // xorshift32
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    return x & 1;
}
size_t allowedShared();  // 許された動的共有メモリ (occupancy.cpp)

// error.cpp
bool anyError();  // 一度でもエラーを返したか
cudaError_t stickyError();  // カーネルが壊れた後は、すべての呼び出しがこれを返す
void setSticky(cudaError_t);
void forgetSticky();  // 試しに動かした起動のもの

// ---------------------------------------------------------------- os.cpp: OS に頼むこと。WebAssembly では wasm/os.cpp
#ifndef __wasm__
using Mutex = std::mutex;
using RecursiveMutex = std::recursive_mutex;
#else
struct Mutex {  // OS スレッドは 1 つしかない
    void lock() {}
    void unlock() {}
};
using RecursiveMutex = Mutex;
#endif
extern const size_t kPageBytes, kHugePageBytes;  // 保護の単位と、大きな配列を揃える単位
char* mapPages(size_t bytes);  // なければ nullptr
void unmapPages(char* p, size_t bytes);
void protectPages(char* p, size_t bytes, bool open);  // 触れると止まるようにする (open なら、戻す)
void preferHugePages(char* p, size_t bytes);
char* reservePages(size_t bytes);  // 場所だけを取る。メモリは、触れるまで使わない。なければ nullptr
void dropPages(char* p, size_t bytes);  // 中身を捨て、触れると止まるようにする
bool isMapped(const void* p);
size_t totalMemory();
size_t availableMemory();
std::string processorName();
unsigned coreCount();
}  // namespace cpu
