// bounds.h: 触れてよい所か。配列の外、ホストのメモリ、境界に揃わない番地、まだ誰も書いていない所。
#pragma once
#include "findings.h"

namespace cpu {
void outOfBounds(char* p, unsigned size, Kind, void* pc);
void foreign(char* p, Kind, void* pc);                    // デバイスのメモリではない
inline bool isIndex(const char* p) {                     // threadIdx など。コンパイラには、普通の変数に見える
    auto in = [p](const auto& v) { return size_t(p - (const char*)&v) < sizeof v; };
    return in(threadIdx) || in(blockIdx) || in(blockDim) || in(gridDim);
}
bool ownMemory(const char* p);                            // 自分のスタック、カーネルの引数、プログラムの変数
void misaligned(char* p, unsigned bytes, Kind, void* pc);
// まだ誰も書いていない所に初めて触れた。written: 書かれているが、配列の中かはまだ調べていない
void firstTouch(char* p, unsigned size, Kind, void* pc, bool written);
}  // namespace cpu
