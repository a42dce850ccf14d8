// wasm/fault.cpp: シグナルも、命令の番地もない。
#include "../tools/tool.h"

namespace cpu {
void installFaultHandler() {
    static bool once = false;
    if (!once) atexit(toolExit);
    once = true;
}
std::string where(void*) { return "場所は不明"; }
}  // namespace cpu
