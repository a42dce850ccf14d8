// clock.cpp: 知っていることの木。葉が 1 つのブロック、枝は 32 本ずつ。
#include "clock.h"

#include <algorithm>

namespace cpu {
struct Clock::Node {
    unsigned references, height;  // 高さ 0 は葉
    Known known;                  // 葉
    std::vector<Node*> child;     // 枝。ない所は nullptr
};
using Node = Clock::Node;

static Node* leaf(Known k) { return new Node{1, 0, std::move(k), {}}; }
static Node* branch(unsigned height) { return new Node{1, height, {}, std::vector<Node*>(32)}; }
static Node* share(Node* n) {
    if (n) n->references++;
    return n;
}
static void drop(Node* n) {
    if (!n || --n->references) return;
    for (Node* c : n->child) drop(c);
    delete n;
}
static Node* lift(Node* n, unsigned height) {  // 低い木を、高い木の最初の枝にする
    while (n->height < height) {
        Node* up = branch(n->height + 1);
        up->child[0] = n;
        n = up;
    }
    return n;
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
static bool equal(const Known& a, const Known& b) { return a.all == b.all && a.lanes == b.lanes; }

// 両方が知っていること。どちらかがすべてを知っていれば、その木をそのまま使う
static Node* join(Node* a, Node* b) {
    if (!a || a == b) return share(b);
    if (!b) return share(a);
    if (a->height != b->height) {
        Node *low = a->height < b->height ? a : b, *high = low == a ? b : a;
        low = lift(share(low), high->height);
        Node* r = join(low, high);
        drop(low);
        return r;
    }
    if (a->height == 0) {
        Known k = merge(a->known, b->known);
        return equal(k, a->known) ? share(a) : equal(k, b->known) ? share(b) : leaf(std::move(k));
    }
    Node* r = branch(a->height);
    for (unsigned k = 0; k < 32; k++) r->child[k] = join(a->child[k], b->child[k]);
    Node* whole = r->child == a->child ? a : r->child == b->child ? b : nullptr;
    if (!whole) return r;
    drop(r);
    return share(whole);
}

Clock::Clock(const Clock& o) : node(share(o.node)) {}
Clock::~Clock() { drop(node); }
Clock Clock::of(unsigned block, Known k) {
    Clock c;
    c.node = leaf(std::move(k));
    for (unsigned height = 1; block; height++, block /= 32) {
        Node* up = branch(height);
        up->child[block % 32] = c.node;
        c.node = up;
    }
    return c;
}
const Known* Clock::find(unsigned block) const {
    const Node* n = node;
    if (!n || (n->height < 7 && block >> 5 * n->height)) return nullptr;
    while (n && n->height) n = n->child[block >> 5 * (n->height - 1) & 31];
    return n ? &n->known : nullptr;
}
void Clock::learn(const Clock& o) {
    if (!o.node || o.node == node) return;
    Node* joined = join(node, o.node);
    drop(node);
    node = joined;
}
}  // namespace cpu
