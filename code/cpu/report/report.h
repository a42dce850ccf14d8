// report.h: 何が、どこで起きたかを言う。どの部屋も呼ぶので、どの部屋のヘッダも知らない。
// ここの .cpp のうち、動いているものを見るもの (見張り、終わらないループ) だけが exec.h を知る。
#pragma once
#include <string>

#include "cpu/launch.h"

namespace cpu {
// report.cpp: 報告は標準エラーへ。1 行目に何が起きたか、続く行にどこで誰が。
void report(const char* format, ...) __attribute__((format(printf, 1, 2)));
unsigned complaints();                           // 「CPU デバイス:」で始まる報告の数
extern bool muted;                               // 試しに動かしている間は、何も報告しない
bool claimReport();                              // この起動で最初の誤りなら true。同じ誤りを何度も報告しない
void reportKernel();                             // いま動いているカーネルとブロック
// 何かが変わるのを待つループに、待てる相手を言う。yields: 待つ間に、同じブロックの他のスレッドは動いた
void adviseWaiting(bool yields);
std::string threadName();                        // 「ブロック 3 のスレッド 17」
std::string triple(const dim3&);                 // 「256」か「(16,16,1)」
std::string indexName(const uint3&, const dim3& size);  // 「17」か「(1,2,0)」
[[noreturn]] void abortBlock(cudaError_t);       // いまのグリッドをやめる (grid.cpp)
template <class Tell> [[noreturn]] void failKernel(cudaError_t e,
                                                   Tell tell) {  // 最初の誤りなら報告して、グリッドをやめる
    if (claimReport()) tell(), reportKernel();
    abortBlock(e);
}
[[noreturn]] void stopProgram(const char* format, ...)
    __attribute__((format(printf, 1, 2)));  // 報告して、プログラムをやめる
[[noreturn]] void failTouch(const void* a, void* pc, bool deep);  // deep: スタックの終わりを越えた
[[noreturn]] void failHostTouch(const void* a, const std::string& place);  // 報告して、プログラムをやめる
[[noreturn]] void failBlock(const char* sentence, cudaError_t = cudaErrorLaunchFailure);  // 報告して、グリッドをやめる
std::string argumentText(const Arguments&);  // その引数だけの文 (kernel.cpp)

// where.cpp
std::string where(void* pc);  // 命令の番地から「code/5.2/1-reduction.cu:13」
std::string executablePath();
char* imageBase();  // このプログラムの先頭の番地
size_t codeBytes();  // 先頭から、命令の終わりまで
size_t imageBytes();  // 先頭から、変数の終わりまで
bool inImage(const void* p);  // プログラムの命令か変数か
inline const char kFar[] = "どの配列からも遠い: 添字が桁あふれしたか、ポインタが壊れている";
bool inVariables(const void* p);  // 書き換えられる変数か

// fault.cpp
inline bool deviceUsed;  // デバイスを 1 度でも使ったか
// pc の行。部品の中なら、スタックの sp から上にある、呼んだリストの行
std::string whereCalled(const void* pc, void* const* sp, unsigned words);
std::string whereStopped(void* context);  // シグナルが起きたときの、リストの行
uint64_t registersHash(void* context);  // 同じく、レジスタの中身
uint64_t hashBytes(const void*, size_t, uint64_t start = 1);
void useAlternateStack();  // スタックを使い切ったときにも報告できるように
}  // namespace cpu
