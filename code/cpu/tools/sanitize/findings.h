// findings.h: 見つけた誤りの数え方と、誰がどこで何にを言う言葉。
#pragma once
#include "../arrays.h"

namespace cpu {
enum class Kind { read, write, atomic };

bool first(const std::string& key);  // 同じ場所の同じ誤りは 1 度だけ。報告してよいなら true
std::string laneName(unsigned lane);
inline const char* space(const Array& a) { return a.shared ? "共有メモリ " : "グローバルメモリ "; }
}  // namespace cpu
