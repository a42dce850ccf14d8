// cooperative_groups.cpp: ワープをまたぐ組のバリア。
#include "cooperative_groups.h"

#include <memory>

#include "tools/tool.h"

// cuda::barrier の知らせ。道具をつながないときは何もしない
namespace cuda {
namespace details {
void signal(const void*);
void await(const void*);
void signal(const void* p) { cpu::toolSignal(p); }
void await(const void* p) { cpu::toolAwait(p); }
}  // namespace details
}  // namespace cuda

namespace cooperative_groups {
// ブロックは 1 つの OS スレッドで動くので、数えるのに鍵は要らない
struct Meeting {
    uint64_t block;  // どのブロックのものか
    unsigned arrived, round;
};
struct Room {
    Meeting meetings[11][1024 / 64];  // 組の大きさ (2 のべき乗) と、何番目の組か
    char places[1024][details::kLargestValue];
};
static Room& room() {
    static thread_local std::unique_ptr<Room> mine(new Room());
    return *mine;
}
CPU_WAITS(void) details::meet(const cpu::Site* site, unsigned first, unsigned count) {
    Meeting& m = room().meetings[__builtin_ctz(count)][first / 64];
    if (m.block != cpu::here.blocks) m = {cpu::here.blocks, 0, 0};
    cpu::toolSignal(&m);
    if (++m.arrived == count) m.arrived = 0, m.round++;
    else
        for (const unsigned round = m.round; m.round == round;) CPU_WAIT cpu::yield(site);
    cpu::toolAwait(&m);
}
char* details::exchange(unsigned thread) { return room().places[thread]; }
}  // namespace cooperative_groups
