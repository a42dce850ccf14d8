// device.h: CPU デバイスの部品どうしの約束。リストからは見えない。
#pragma once
#include <string>

#include "cpu/launch.h"

namespace cpu {
constexpr unsigned kMaxThreads = 1024;           // 1 ブロックのスレッド数の上限
constexpr size_t kDefaultShared = 48 * 1024;     // 何もしないで使える動的共有メモリ
constexpr size_t kMaxShared = 227 * 1024;        // cudaFuncSetAttribute で許せる上限
constexpr size_t kStackBytes = 64 * 1024;        // CUDA のスレッド 1 つのスタック
constexpr int kStuckSeconds = 5;                 // これだけ進まないスレッドは、来ない相手を待っているとみなす
constexpr int kSMs = 4;                           // どの計算機でも同じグリッドになるように、コアの数によらない

// report.cpp: 報告は標準エラーへ。1 行目に何が起きたか、続く行にどこで誰が。
void report(const char* format, ...) __attribute__((format(printf, 1, 2)));
bool claimReport();                              // この起動で最初の誤りなら true。同じ誤りを何度も報告しない
void reportKernel();                             // いま動いているカーネルとブロック
std::string threadName();                        // 「ブロック 3 のスレッド 17」
std::string triple(const dim3&);                 // 「256」か「(16,16,1)」
[[noreturn]] void failBlock(const char* sentence, cudaError_t = cudaErrorLaunchFailure);  // 報告して、グリッドをやめる

// where.cpp
std::string where(void* pc);  // 命令の番地から「code/5.2/1-reduction.cu:13」
std::string executablePath();
char* imageBase();  // このプログラムの先頭の番地
size_t codeBytes();  // 先頭から、命令の終わりまで
bool inImage(const void* p);  // プログラムの命令か変数か

// error.cpp
bool anyError();  // 一度でもエラーを返したか
cudaError_t stickyError();  // カーネルが壊れた後は、すべての呼び出しがこれを返す
void setSticky(cudaError_t);

// grid.cpp
const Launch& runningLaunch();
[[noreturn]] void abortBlock(cudaError_t);  // いまのグリッドをやめる

// memory.cpp
size_t allocatedBytes();
void openMemory();  // カーネルの間だけ、デバイスのメモリに触れるようにする
void closeMemory();
bool inDeviceMemory(const void* p);
bool describeAddress(const void* p, bool inKernel);  // p がどの配列の何番目かを報告する
bool describeStack(const void* p);  // p がスタックの外れなら報告する (fiber.cpp)

// fault.cpp
void installFaultHandler();
void* programCounter(void* context);  // シグナルが起きたときの命令の番地
void useAlternateStack();  // スタックを使い切ったときにも報告できるように
}  // namespace cpu
