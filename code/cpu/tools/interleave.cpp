// interleave.cpp: わざと誤ったリストのために、メモリに触れる直前で他のスレッドを割り込ませる。
// CPU デバイスは普段、1 つのスレッドを待つ所まで続けて動かす。だから競合があっても、たまたま正しい合計になりうる。
// わざと誤ったリストだけは、2 回に 1 回ほど次のスレッドに譲る。GPU で起きることが、小さな N でも毎回起きる。
#include "tool.h"

namespace cpu {
static void onAccess(char*, unsigned, Kind, void*) {
    if (here.inKernel && coin()) yield();
}
}  // namespace cpu
#include "callbacks.h"
