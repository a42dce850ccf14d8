// wasm/state.cpp: 見張りがいないので、同じ状態に戻ったかは調べない。
#include "../schedule.h"

namespace cpu {
bool returnedToState(const Site*) { return false; }
}  // namespace cpu
