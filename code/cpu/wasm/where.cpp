// wasm/where.cpp: 命令の番地はない。
#include "../device.h"

namespace cpu {
std::string where(void*) { return "場所は不明"; }
}  // namespace cpu
