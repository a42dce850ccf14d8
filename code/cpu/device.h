// device.h: CPU デバイスの部品どうしの約束。リストからは見えない。
#pragma once
#include <string>

#include "cpu/launch.h"

namespace cpu {
constexpr unsigned kMaxThreads = 1024;           // 1 ブロックのスレッド数の上限
constexpr size_t kDefaultShared = 48 * 1024;     // 何もしないで使える動的共有メモリ
constexpr size_t kMaxShared = 227 * 1024;        // cudaFuncSetAttribute で許せる上限
constexpr size_t kStackBytes = 64 * 1024;        // CUDA のスレッド 1 つのスタック
constexpr int kStuckSeconds = 4;                 // これだけ進まないスレッドは、来ない相手を待っているとみなす
constexpr int kSMs = 4;                           // どの計算機でも同じグリッドになるように、コアの数によらない
size_t allowedShared();  // 許された動的共有メモリ (occupancy.cpp)

// report.cpp: 報告は標準エラーへ。1 行目に何が起きたか、続く行にどこで誰が。
void report(const char* format, ...) __attribute__((format(printf, 1, 2)));
unsigned complaints();                           // 「CPU デバイス:」で始まる報告の数
extern bool muted;                               // 試しに動かしている間は、何も報告しない
bool claimReport();                              // この起動で最初の誤りなら true。同じ誤りを何度も報告しない
void reportKernel();                             // いま動いているカーネルとブロック
void adviseWaiting();                            // 何かが変わるのを待つループに、待てる相手を言う
std::string threadName();                        // 「ブロック 3 のスレッド 17」
std::string triple(const dim3&);                 // 「256」か「(16,16,1)」
[[noreturn]] void failTouch(const void* a, void* pc);  // 報告して、グリッドをやめる
[[noreturn]] void failHostTouch(const void* a, void* pc);  // 報告して、プログラムをやめる
[[noreturn]] void failBlock(const char* sentence, cudaError_t = cudaErrorLaunchFailure);  // 報告して、グリッドをやめる

// where.cpp
std::string where(void* pc);  // 命令の番地から「code/5.2/1-reduction.cu:13」
std::string executablePath();
char* imageBase();  // このプログラムの先頭の番地
size_t codeBytes();  // 先頭から、命令の終わりまで
size_t imageBytes();  // 先頭から、変数の終わりまで
bool inImage(const void* p);  // プログラムの命令か変数か
bool inVariables(const void* p);  // 書き換えられる変数か

// error.cpp
bool anyError();  // 一度でもエラーを返したか
cudaError_t stickyError();  // カーネルが壊れた後は、すべての呼び出しがこれを返す
void setSticky(cudaError_t);
void forgetSticky();  // 試しに動かした起動のもの

// children.cpp
void defer(cudaStream_t, Operation*);  // カーネルの中から submit したもの。グリッドが終わってから動かす
void runChildren();  // いま終わったグリッドが、カーネルの中から起動したもの

// grid.cpp
const Launch& runningLaunch();
[[noreturn]] void abortBlock(cudaError_t);  // いまのグリッドをやめる

// memory.cpp
size_t allocatedBytes();
void reportLeaks();  // プログラムの終わりに 1 度だけ
bool memoryKind(const void* p, Memory& kind);  // p を含む配列の種類。なければ false
size_t bytesFrom(const void* p);  // p を含む配列の、p から終わりまで
bool isSymbol(const void* p);  // __device__ か __constant__ の変数
bool isManagedVariable(const void* p);  // __managed__ の変数
bool isRegistered(const void* p);  // cudaHostRegister したメモリ (managed.cpp)
struct Direction { bool toDevice, fromDevice; };
Direction direction(const void* to, const void* from, cudaMemcpyKind);
bool inside(const char* what, const void* p, size_t bytes, bool device, Site);  // 触れてよい範囲か。違えば報告する
struct Exclusive {  // 他の OS スレッドの仕事と重ならない間 (grid.cpp)。ホストの仕事は、カーネルとも重ならない
    Exclusive();
    ~Exclusive();
};
void openMemory();  // カーネルの間だけ、デバイスのメモリに触れるようにする
void closeMemory();
struct HostWork {  // ホストがデバイスのメモリに触れる間
    Exclusive exclusive;
    HostWork() { openMemory(); }
    ~HostWork() { closeMemory(); }
};
bool inDeviceMemory(const void* p);
bool describeAddress(const void* p, bool inKernel);  // p がどの配列の何番目かを報告する
void reportFullStack();
bool describeStack(const void* p);  // p がスタックの外れなら報告する (stack.cpp)
bool ownVariables(const void* p);  // スタックの外にある、いまのスレッドの変数か (stack.cpp)

// fault.cpp
extern bool deviceUsed;  // デバイスを 1 度でも使ったか
void installFaultHandler();
void* programCounter(void* context);  // シグナルが起きたときの命令の番地
std::string whereStopped(void* context);  // 同じく、リストの行
uint64_t registersHash(void* context);  // 同じく、レジスタの中身
uint64_t hashBytes(const void*, size_t, uint64_t start = 1);
void useAlternateStack();  // スタックを使い切ったときにも報告できるように
}  // namespace cpu
