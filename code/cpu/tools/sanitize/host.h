// host.h: ホストのコードがメモリに触れたとき。
#pragma once
#include "findings.h"

namespace cpu {
void hostAccess(char* p, unsigned size, Kind, void* pc);
void findWritten();  // 起動の終わりに: カーネルが書いたものを見分ける
}  // namespace cpu
