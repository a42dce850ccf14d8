// wasm/fault.cpp: シグナルはない。
#include "../device.h"

namespace cpu {
bool deviceUsed = false;
void installFaultHandler() { deviceUsed = true; }
}  // namespace cpu
