// clock.h: ある人が知っていること。「ブロックごとに、どの時刻より前の出来事が、もう済んでいるか」の表である。
//
// ブロックは何万もあり、表は受け渡しのたびに写される。だから表は書き換えない木で持ち、変わらない枝は共有する。
// 2 つの表を合わせる手間は、違う枝の分だけになる。
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace cpu {
struct Known {  // 1 つのブロックについて知っていること
    uint32_t all = 0;  // これより前なら、誰の出来事でも済んでいる
    std::vector<std::pair<unsigned, uint32_t>> lanes;  // それより後まで分かっている人 (番号の順) と、その時刻
    bool covers(unsigned lane, uint32_t time) const;
    bool operator==(const Known& o) const { return all == o.all && lanes == o.lanes; }
};

class Clock {
 public:
    struct Node;
    using Tree = std::shared_ptr<const Node>;

    static Clock of(unsigned block, Known);  // 1 つのブロックのことだけを知っている
    explicit operator bool() const { return tree != nullptr; }
    const Known* find(unsigned block) const;
    bool covers(unsigned block, unsigned lane, uint32_t time) const {
        const Known* k = find(block);
        return k && k->covers(lane, time);
    }
    void learn(const Clock& o);  // o の知っていることも知る

 private:
    Tree tree;
};
}  // namespace cpu
