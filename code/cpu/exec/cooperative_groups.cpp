// cooperative_groups.cpp: ワープをまたぐ組のバリア。
#include "cooperative_groups.h"

#include <memory>

#include "../tools/tool.h"

namespace cooperative_groups {
// ブロックは 1 つの OS スレッドで動くので、数えるのに鍵は要らない
struct Room {
    details::Meeting meetings[11][1024 / 64];  // 組の大きさ (2 のべき乗) と、何番目の組か
    char places[1024][details::kLargestValue];
};
static Room& room() {
    static thread_local std::unique_ptr<Room> mine(new Room());
    return *mine;
}
details::Meeting& details::arrive(unsigned first, unsigned count) {
    Meeting& m = room().meetings[__builtin_ctz(count)][first / 64];
    if (m.block != cpu::here.blocks) m = {cpu::here.blocks, 0, 0};
    cpu::toolSignal(&m);
    if (++m.arrived == count) m.arrived = 0, m.round++;
    return m;
}
void details::leave(const Meeting& m) { cpu::toolAwait(&m); }
char* details::exchange(unsigned thread) { return room().places[thread]; }
}  // namespace cooperative_groups
