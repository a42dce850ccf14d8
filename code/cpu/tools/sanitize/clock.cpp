// clock.cpp: 知っていることの木。葉が 1 つのブロック、枝は 32 本ずつ。
#include "clock.h"

#include <algorithm>

namespace cpu {
struct Clock::Node {
    unsigned height;          // 高さ 0 は葉
    Known known;              // 葉
    std::vector<Tree> child;  // 枝。ない所は nullptr
};
using Node = Clock::Node;
using Tree = Clock::Tree;

static Tree tree(Node n) { return std::make_shared<const Node>(std::move(n)); }
static Tree above(Tree below, unsigned at) {  // below を at 番目の枝に持つ、1 つ高い木
    std::vector<Tree> child(32);
    const unsigned height = below->height + 1;
    child[at] = std::move(below);
    return tree({height, {}, std::move(child)});
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
    if (a->height < b->height) return join(above(a, 0), b);
    if (b->height < a->height) return join(a, above(b, 0));
    if (a->height == 0) {
        Known k = merge(a->known, b->known);
        return k == a->known ? a : k == b->known ? b : tree({0, std::move(k), {}});
    }
    bool ours = true, theirs = true;
    std::vector<Tree> child;  // a の枝でないものが見つかってから写す: 指すだけでも、数える手間がかかる
    for (unsigned k = 0; k < 32; k++) {
        if (a->child[k] == b->child[k]) continue;
        Tree both = join(a->child[k], b->child[k]);
        ours &= both == a->child[k], theirs &= both == b->child[k];
        if (child.empty() && !ours) child = a->child;
        if (!ours) child[k] = std::move(both);
    }
    return ours ? a : theirs ? b : tree({a->height, {}, std::move(child)});
}

Clock Clock::of(unsigned block, Known k) {
    Clock c;
    for (c.tree = cpu::tree({0, std::move(k), {}}); block; block /= 32) c.tree = above(std::move(c.tree), block % 32);
    return c;
}
const Known* Clock::find(unsigned block) const {
    const Node* n = tree.get();
    if (!n || (n->height < 7 && block >> 5 * n->height)) return nullptr;
    while (n && n->height) n = n->child[block >> 5 * (n->height - 1) & 31].get();
    return n ? &n->known : nullptr;
}
void Clock::learn(const Clock& o) { tree = join(tree, o.tree); }
}  // namespace cpu
