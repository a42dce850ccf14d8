// cooperative_groups.cpp: 呼ばれた場所を覚えておく所と、ワープをまたぐ組の待ち合わせ。
#include "cooperative_groups.h"

#include <map>
#include <mutex>

#include "tools/tool.h"

namespace cooperative_groups {
const cpu::Site* details::place(const char* file, int line) {
    static thread_local const cpu::Site* last = nullptr;  // 続けて同じ行から呼ばれることが多い
    if (last && last->line == line && last->file == file) return last;
    static std::mutex mutex;
    static std::map<std::pair<const char*, int>, cpu::Site> sites;
    std::lock_guard<std::mutex> lock(mutex);
    return last = &sites.insert({{file, line}, {file, line}}).first->second;
}

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
