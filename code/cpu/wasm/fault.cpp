// wasm/fault.cpp: シグナルはない。
#include "../tools/tool.h"

namespace cpu {
void installFaultHandler() {
    static bool once = false;
    if (!once) atexit(toolExit);
    once = true;
}
}  // namespace cpu
