// clock.h: ある人が知っていること。「ブロックごとに、どの時刻より前の出来事が、もう済んでいるか」の表である。
//
// ブロックは何万もあり、表は受け渡しのたびに写される。だから表は書き換えない木で持ち、変わらない枝は共有する。
// 葉が 1 つのブロック、枝は 2 本ずつである。2 つの表を合わせる手間は、違う枝の分だけになる。
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace cpu {
struct Known {  // 1 つのブロックについて知っていること
    uint32_t all = 0;  // これより前なら、誰の出来事でも済んでいる
    std::vector<std::pair<unsigned, uint32_t>> lanes;  // それより後まで分かっている人 (番号の順) と、その時刻
    bool covers(unsigned lane, uint32_t time) const {
        if (time < all) return true;
        auto it = std::lower_bound(lanes.begin(), lanes.end(), std::make_pair(lane, 0u));
        return it != lanes.end() && it->first == lane && time < it->second;
    }
    bool operator==(const Known& o) const { return all == o.all && lanes == o.lanes; }
};
struct Node;
using Clock = std::shared_ptr<const Node>;  // 何も知らなければ nullptr
struct Node {
    unsigned height;  // 高さ 0 は葉
    Known known;      // 葉
    Clock child[2];   // 枝。ない所は nullptr
};
inline Clock node(Node n) { return std::make_shared<const Node>(std::move(n)); }
inline Clock above(const Clock& below, bool right) {  // below を枝に持つ、1 つ高い木
    return node({below->height + 1, {}, {right ? nullptr : below, right ? below : nullptr}});
}
inline Clock clockOf(unsigned block, Known k) {  // 1 つのブロックのことだけを知っている
    Clock c = node({0, std::move(k), {}});
    for (; block; block /= 2) c = above(c, block % 2);
    return c;
}
inline const Known* find(const Clock& c, unsigned block) {
    const Node* n = c.get();
    if (!n || uint64_t(block) >> n->height) return nullptr;
    while (n && n->height) n = n->child[block >> (n->height - 1) & 1].get();
    return n ? &n->known : nullptr;
}
inline bool covers(const Clock& c, unsigned block, unsigned lane, uint32_t time) {
    const Known* k = find(c, block);
    return k && k->covers(lane, time);
}
inline Known join(const Known& a, const Known& b) {
    Known m;
    m.all = std::max(a.all, b.all);
    m.lanes.reserve(a.lanes.size() + b.lanes.size());
    std::merge(a.lanes.begin(), a.lanes.end(), b.lanes.begin(), b.lanes.end(), std::back_inserter(m.lanes));
    size_t kept = 0;
    for (auto& e : m.lanes) {  // 同じ人は、時刻の順に並んでいる。後の方を残す
        if (e.second <= m.all) continue;
        if (kept && m.lanes[kept - 1].first == e.first) m.lanes[kept - 1] = e;
        else m.lanes[kept++] = e;
    }
    m.lanes.resize(kept);
    return m;
}
// どちらかが知っていること。片方がすべてを知っていれば、その木をそのまま使う
inline Clock join(const Clock& a, const Clock& b) {
    if (!a || a == b) return b;
    if (!b) return a;
    if (a->height < b->height) return join(above(a, false), b);
    if (b->height < a->height) return join(a, above(b, false));
    if (a->height == 0) {
        Known k = join(a->known, b->known);
        return k == a->known ? a : k == b->known ? b : node({0, std::move(k), {}});
    }
    const Clock left = join(a->child[0], b->child[0]), right = join(a->child[1], b->child[1]);
    for (const Clock& known : {a, b})
        if (left == known->child[0] && right == known->child[1]) return known;
    return node({a->height, {}, {left, right}});
}
inline void operator|=(Clock& c, const Clock& o) { c = join(c, o); }  // o の知っていることも知る
}  // namespace cpu
