// absent.h: 加わっていないレーンの値を使ったかを、起動の終わりに確かめる。
#pragma once
#include "findings.h"

namespace cpu {
void compareAbsent();
}  // namespace cpu
