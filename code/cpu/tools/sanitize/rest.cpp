// rest.cpp: 切り捨てたグリッド。一辺が 1 ブロック足りず、残った要素に、どのカーネルも触れないまま、ホストに写す。
#include "sanitize.h"

namespace cpu {
struct Rest {
    const char* p;
    size_t bytes;
    uint32_t begin;  // 起動の時刻
    Launch launch;
};
static std::vector<Rest> rests;

static bool isShort(int side, unsigned threads, unsigned block) {  // 1 ブロックより少なく足りない
    return side > 0 && unsigned(side) > threads && unsigned(side) - threads < block;
}
// 起動の終わりに: 引数の整数 width (と height) の配列の、グリッドの分だけに触れ、残りには触れなかったか
void findRest() {
    const Launch& l = runningLaunch();
    const unsigned across = l.grid.x * l.block.x, down = l.grid.y * l.block.y;
    std::vector<int> sides(l.closureBytes / sizeof(int));
    memcpy(sides.data(), l.closure, sides.size() * sizeof(int));
    const auto leaves = [&](const Array& a, int width, int height) {
        const bool wide = isShort(width, across, l.block.x), tall = isShort(height, down, l.block.y);
        if (!wide && !tall) return false;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                if (touchedSince(a.p + (size_t(y) * width + x) * a.element.bytes, workTime) !=
                    (unsigned(x) < across && unsigned(y) < down))
                    return false;
        return true;
    };
    for (auto& a : arrays) {
        if (a.shared || size_t(a.p - region) >= kRegionBytes) continue;
        const size_t count = a.bytes / a.element.bytes;
        for (int width : sides) {
            if (width <= 0 || count % unsigned(width) || count / unsigned(width) > 65535 * 1024) continue;
            const int height = int(count / unsigned(width));
            if (height > 1 && std::find(sides.begin(), sides.end(), height) == sides.end()) continue;
            const auto same = [&](const Rest& r) { return r.p == a.p && r.launch.site == l.site; };
            if (std::any_of(rests.begin(), rests.end(), same) || !leaves(a, width, height)) continue;
            rests.push_back({a.p, a.bytes, workTime, l});
            break;
        }
    }
}
bool copyRest(const char* p, size_t bytes, Site s) {
    for (auto& r : rests) {
        if (p >= r.p + r.bytes || p + bytes <= r.p) continue;
        const Array* a = findArray(r.p);
        for (const char* e = r.p; a && e < r.p + r.bytes; e += a->element.bytes) {
            if (e < p || e >= p + bytes || touchedSince(e, r.begin)) continue;
            const Launch& l = r.launch;
            if (first("残り" + std::to_string(l.site->line)))
                report(
                    "検査: グリッドが小さい: 残りに、どのカーネルも触れないまま、ホストに写した: グローバルメモリ %s\n"
                    "  %s:%d で %s<<<%s, %s>>>\n  %s:%d でホストに写した\n"
                    "  ブロックの数は切り上げる: (n + ブロックの大きさ - 1) / ブロックの大きさ\n",
                    elementName(*a, e).c_str(), l.site->file, l.site->line, l.name, triple(l.grid).c_str(),
                    triple(l.block).c_str(), s.file, s.line);
            return true;
        }
    }
    return false;
}
}  // namespace cpu
