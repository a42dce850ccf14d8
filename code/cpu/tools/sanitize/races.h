// races.h: メモリの覚え書きのうち、races.cpp の外から見えること。
#pragma once
#include "findings.h"

namespace cpu {
bool isWritten(size_t word);  // 区間の word 番目の 4 バイトに、誰かが書いたか
std::string writtenAt(size_t word);  // カーネルのスレッドが最後に書いた行。ホストが書いたなら空
void settle();                // バリアの前に: 保留した競合を報告する
void forgetTimes();           // 時刻を初めから数え直す: 誰が書いたかは忘れ、書かれたことだけを残す
}  // namespace cpu
