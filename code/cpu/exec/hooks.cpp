// hooks.cpp: 検査の道具をつながないとき。部品は 1 度だけコンパイルすればよい。
#include "../device/device.h"
#include "../tools/tool.h"

namespace cpu {
#define CPU_HOOK(declaration, ...) __attribute__((weak)) declaration __VA_ARGS__
#include "../tools/hooks.h"
#undef CPU_HOOK
}  // namespace cpu
