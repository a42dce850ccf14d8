// twice.h: 1 つの起動を、2 通りに動かす。プロセスを分けるか (twice.cpp)、初めからもう 1 度動かすか (wasm/twice.cpp)。
#pragma once
#include <cstdint>

namespace cpu {
void rememberArrays();     // 起動の初めに: もう 1 度動かすのに要るものを覚える
bool splitLaunch();        // ここから 2 通りになる。できなければ false
bool inOtherLaunch();      // いま動いているのは、2 つ目か
bool otherLaunchAgrees();  // 起動の終わりに: メモリは同じになったか
uint64_t arraysHash();     // absent.cpp
}  // namespace cpu
