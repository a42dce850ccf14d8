// clock.cpp: 知っていることの木。葉が 1 つのブロック、枝は 2 本ずつ。
#include "clock.h"

#include <algorithm>
#include <iterator>

namespace cpu {
struct Clock::Node {
    unsigned height;          // 高さ 0 は葉
    Known known;              // 葉
    Tree child[2];            // 枝。ない所は nullptr
};
using Node = Clock::Node;
using Tree = Clock::Tree;

static Tree tree(Node n) { return std::make_shared<const Node>(std::move(n)); }
static Tree above(const Tree& below, bool right) {  // below を枝に持つ、1 つ高い木
    return tree({below->height + 1, {}, {right ? nullptr : below, right ? below : nullptr}});
}

bool Known::covers(unsigned lane, uint32_t time) const {
    if (time < all) return true;
    auto it = std::lower_bound(lanes.begin(), lanes.end(), std::make_pair(lane, 0u));
    return it != lanes.end() && it->first == lane && time < it->second;
}
static Known merge(const Known& a, const Known& b) {
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

// 両方が知っていること。どちらかがすべてを知っていれば、その木をそのまま使う
static Tree join(const Tree& a, const Tree& b) {
    if (!a || a == b) return b;
    if (!b) return a;
    if (a->height < b->height) return join(above(a, false), b);
    if (b->height < a->height) return join(a, above(b, false));
    if (a->height == 0) {
        Known k = merge(a->known, b->known);
        return k == a->known ? a : k == b->known ? b : tree({0, std::move(k), {}});
    }
    const Tree left = join(a->child[0], b->child[0]), right = join(a->child[1], b->child[1]);
    for (const Tree& known : {a, b})
        if (left == known->child[0] && right == known->child[1]) return known;
    return tree({a->height, {}, {left, right}});
}

Clock Clock::of(unsigned block, Known k) {
    Clock c;
    for (c.tree = cpu::tree({0, std::move(k), {}}); block; block /= 2) c.tree = above(c.tree, block % 2);
    return c;
}
const Known* Clock::find(unsigned block) const {
    const Node* n = tree.get();
    if (!n || uint64_t(block) >> n->height) return nullptr;
    while (n && n->height) n = n->child[block >> (n->height - 1) & 1].get();
    return n ? &n->known : nullptr;
}
void Clock::learn(const Clock& o) { tree = join(tree, o.tree); }
}  // namespace cpu
