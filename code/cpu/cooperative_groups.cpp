// cooperative_groups.cpp: ワープをまたぐ組の待ち合わせ。
#include "cooperative_groups.h"

#include "tools/tool.h"

namespace cooperative_groups {
// ブロックは 1 つの OS スレッドで動くので、数えるのに鍵は要らない
struct Meeting {
    uint64_t block;  // どのブロックのものか
    unsigned arrived, round;
};
void details::meet(const cpu::Site*, unsigned first, unsigned count) {
    static thread_local Meeting meetings[11][1024 / 64];  // 組の大きさ (2 のべき乗) と、何番目の組か
    Meeting& m = meetings[__builtin_ctz(count)][first / 64];
    if (m.block != cpu::here.blocks) m = {cpu::here.blocks, 0, 0};
    cpu::toolSignal(&m);
    if (++m.arrived == count) m.arrived = 0, m.round++;
    else
        for (const unsigned round = m.round; m.round == round;) cpu::yield();
    cpu::toolAwait(&m);
}
char* details::exchange(unsigned thread) {
    static thread_local char places[1024][kLargestValue];
    return places[thread];
}
}  // namespace cooperative_groups
