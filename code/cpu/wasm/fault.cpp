// wasm/fault.cpp: シグナルはない。
#include "../report/report.h"

namespace cpu {
bool deviceUsed = false;
void installFaultHandler() { deviceUsed = true; }
}  // namespace cpu
