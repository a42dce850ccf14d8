// races.h: メモリの 4 バイトごとの覚え書きのうち、races.cpp の外から見えること。
#pragma once
#include "findings.h"

namespace cpu {
bool isWritten(size_t word);  // 区間の word 番目の 4 バイトに、誰かが書いたか
}  // namespace cpu
