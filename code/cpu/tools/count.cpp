// count.cpp: ワープがメモリに触れる命令を数える。
// 要求、働いているレーン、グローバルメモリのセクタ、共有メモリのバンク競合。
//
// CPU デバイスはスレッドを 1 つずつ動かすので、GPU のように 32 レーンが一緒に進んだらどうなるかは、後から組み直す。
// レーンごとに「どの命令が、どこに触れたか」を書き留め、バリアの所で並べる。進み方は GPU と同じと考える:
// いちばん遅れている (番地の小さい) 命令にいるレーンだけが、一緒に 1 つ進む。
#include <map>
#include <unordered_map>

#include "arrays.h"

namespace cpu {
struct Event {
    void* pc;
    char* p;
    uint32_t step;  // バリアをいくつ通った後か
    uint16_t depth;  // 関数の呼び出しの深さ。深い方が先に進む
    uint8_t size;
    Kind kind;
};
struct Count {
    Kind kind;
    bool shared;
    std::string kernel, arrays;
    unsigned long long requests, lanes, partial;  // 命令の数、働いたレーンの合計、全員がそろわなかった命令の数
    unsigned long long sectors, fewest;  // 触れた 32 バイトのセクタの数、同じバイト数で最も少ない場合の数
    unsigned long long conflicts, worst;  // バンク競合で余計にかかった回数、1 つの命令での最悪の重なり
};
static std::unordered_map<void*, Count> counts;
static std::map<std::string, unsigned long long> launches;  // カーネルごとの起動の回数
static std::vector<Event> events[kMaxThreads];
static uint32_t step[kMaxThreads];
static uint16_t depth[kMaxThreads];

// ---------------------------------------------------------------- 1 つの命令
static unsigned distinct(std::vector<uintptr_t>& v) {
    if (!std::is_sorted(v.begin(), v.end())) std::sort(v.begin(), v.end());
    return unsigned(std::unique(v.begin(), v.end()) - v.begin());
}
static unsigned wavefronts(char* const* p, unsigned mask, unsigned size, unsigned& fewest) {
    // 1 回に運べるのは、32 個のバンクから 1 語 (4 バイト) ずつ。
    // 8 バイトならワープの半分、16 バイトなら 4 分の 1 ずつ運ぶ
    const unsigned parts = std::max(1u, size / 4), lanes = 32 / parts;
    unsigned total = 0;
    fewest = 0;
    for (unsigned part = 0; part < parts; part++) {
        static std::vector<uintptr_t> words[32];  // バンクごとの
        for (auto& bank : words) bank.clear();
        size_t worst = 0;
        for (unsigned l = part * lanes; l < (part + 1) * lanes; l++)
            for (unsigned b = 0; b < std::max(4u, size) && mask >> l & 1; b += 4) {
                const uintptr_t w = (uintptr_t(p[l]) + b) / 4;
                auto& bank = words[w % 32];
                if (std::find(bank.begin(), bank.end(), w) == bank.end()) bank.push_back(w);
                worst = std::max(worst, bank.size());
            }
        total += unsigned(worst);
        fewest += worst > 0;
    }
    return total;
}
static void add(const Event& e, unsigned mask, unsigned live, char* const* p) {
    Count& c = counts[e.pc];
    const unsigned lanes = unsigned(__builtin_popcount(mask));
    const Array* a = findArray(p[__builtin_ctz(mask)]);
    if (!c.requests) c.kind = e.kind, c.shared = size_t(e.p - region) < kSharedBytes, c.kernel = runningLaunch().name;
    if (a && c.arrays.find(a->name) == std::string::npos) c.arrays += (c.arrays.empty() ? "" : ", ") + a->name;
    c.requests++;
    c.lanes += lanes;
    c.partial += mask != live;
    if (c.shared) {
        unsigned fewest;
        const unsigned waves = wavefronts(p, mask, e.size, fewest);
        c.conflicts += waves - fewest;
        c.worst = std::max<unsigned long long>(c.worst, (waves + fewest - 1) / fewest);
        return;
    }
    static std::vector<uintptr_t> sectors, words;
    sectors.clear();
    words.clear();
    for (unsigned m = mask; m; m &= m - 1) {
        const uintptr_t first = uintptr_t(p[__builtin_ctz(m)]);
        for (uintptr_t s = first / 32; s <= (first + e.size - 1) / 32; s++)
            if (sectors.empty() || sectors.back() != s) sectors.push_back(s);
        for (unsigned b = 0; b < e.size; b += 4) words.push_back((first + b) / 4);
    }
    c.sectors += distinct(sectors);
    c.fewest += (distinct(words) * 4 + 31) / 32;
}

// ---------------------------------------------------------------- 32 レーンを並べる
static void replay(unsigned warp, unsigned live) {
    size_t at[32] = {};
    std::vector<Event>* lanes = events + warp * 32;
    for (;;) {
        const Event* next = nullptr;
        unsigned mask = 0;
        for (unsigned m = live; m; m &= m - 1) {
            const unsigned l = unsigned(__builtin_ctz(m));
            if (at[l] == lanes[l].size()) continue;
            const Event& e = lanes[l][at[l]];
            if (next && e.pc == next->pc && e.step == next->step && e.depth == next->depth) {
                mask |= 1u << l;
                continue;
            }
            if (next && (e.step != next->step     ? e.step > next->step
                         : e.depth != next->depth ? e.depth < next->depth
                                                  : e.pc > next->pc))
                continue;
            next = &e;
            mask = 1u << l;
        }
        if (!next) break;
        char* p[32];
        for (unsigned m = mask; m; m &= m - 1) {
            const unsigned l = unsigned(__builtin_ctz(m));
            p[l] = lanes[l][at[l]++].p;
        }
        add(*next, mask, live, p);
    }
    for (unsigned l = 0; l < 32; l++) lanes[l].clear();
}
static void replayAll() {
    for (unsigned w = 0; w < self->warps; w++) replay(w, firstLanes(self->threads - w * 32));
}

// ---------------------------------------------------------------- 知らせを受ける
static inline void onAccess(char* p, unsigned size, Kind kind, void* pc) {
    if (!here.inKernel || !isDeviceMemory(p)) return;
    if (!contains(findArray(p), p, size)) failOutside(p, pc);
    const unsigned lane = here.lane;
    events[lane].push_back({pc, p, step[lane], depth[lane], uint8_t(size), kind});
}
#define CPU_CALL onCall
[[maybe_unused]] static void onCall(int change) {
    if (here.inKernel) depth[here.lane] = uint16_t(depth[here.lane] + change);
}
void toolAccess(const void* p, unsigned bytes, bool write, void* pc) {
    onAccess((char*)p, bytes, write ? Kind::write : Kind::read, pc);
}
void toolAtomic(const void* p, unsigned bytes, const char*, void* pc) { onAccess((char*)p, bytes, Kind::atomic, pc); }
void toolFence(bool) {}
void toolLaunchBegin(const Launch& l, unsigned workers) {
    launches[l.name]++;
    placeArrays(workers);
}
void toolLaunchEnd() { replayAll(); }
void toolBlockBegin(uint64_t) {
    replayAll();
    std::fill(step, step + kMaxThreads, 0);
    std::fill(depth, depth + kMaxThreads, 0);
}
void toolBarrier(const Site*, unsigned, unsigned) {
    replayAll();
    for (auto& s : step) s++;
}
void toolWarp(unsigned warp, unsigned group, Op, Request* const*) {
    for (unsigned m = group; m; m &= m - 1) step[warp * 32 + unsigned(__builtin_ctz(m))]++;
}
void toolAllocate(const Array& a) { addArray(a); }
void toolName(const Array& a) { nameArray(a); }
void toolRelease(const Array& a) { removeArray(a); }

// ---------------------------------------------------------------- 表
// 同じ行の同じ種類の命令を 1 つにまとめる。カーネル、行の番号の順に並ぶ
using Key = std::tuple<std::string, int, std::string, Kind, bool, std::string>;
static std::map<Key, Count> rows() {
    std::map<Key, Count> all;
    for (auto& [pc, c] : counts) {
        const std::string line = where(pc);
        Count& r = all[{c.kernel, atoi(line.c_str() + line.rfind(':') + 1), line, c.kind, c.shared, c.arrays}];
        r.requests += c.requests, r.lanes += c.lanes, r.partial += c.partial, r.sectors += c.sectors;
        r.fewest += c.fewest, r.conflicts += c.conflicts, r.worst = std::max(r.worst, c.worst);
    }
    return all;
}
void toolExit() {
    fflush(stdout);
    FILE* json = fopen((executablePath() + ".json").c_str(), "w");
    const char* kinds[] = {"読む", "書く", "アトミック"};
    const char* ops[] = {"read", "write", "atomic"};
    std::string kernel;
    if (json) fprintf(json, "[");
    bool comma = false;
    for (auto& [key, c] : rows()) {
        const auto& [name, line, at, kind, shared, arrays] = key;
        const double n = double(c.requests);
        if (name != kernel) {
            kernel = name;
            printf("\nカーネル %s (起動 %llu 回): ワープの命令の数\n", kernel.c_str(), launches[kernel]);
            printf(
                "  行    命令        配列                   "
                "要求  レーン/要求  欠けた要求  セクタ/要求  バンク競合  最悪\n");
        }
        const std::string shown = arrays.size() > 20 ? arrays.substr(0, 19) + "…" : arrays;
        printf("%5s  %s%*s%-20s %10llu %12.2f %11llu", at.substr(at.rfind(':') + 1).c_str(), kinds[int(kind)],
               kind == Kind::atomic ? 2 : 8, "", shown.c_str(), c.requests, double(c.lanes) / n, c.partial);
        if (shared) printf(" %12s %11llu %5llu\n", "-", c.conflicts, c.worst);
        else printf(" %12.2f %11s %5s\n", double(c.sectors) / n, "-", "-");
        if (!json) continue;
        fprintf(json,
                "%s\n"
                "{\"kernel\": \"%s\", \"launches\": %llu, \"at\": \"%s\", \"op\": \"%s\", "
                "\"space\": \"%s\", \"array\": \"%s\", \"requests\": %llu, \"lanes\": %llu, \"partial\": %llu, ",
                comma ? "," : "", name.c_str(), launches[kernel], at.c_str(), ops[int(kind)],
                shared ? "shared" : "global", arrays.c_str(), c.requests, c.lanes, c.partial);
        fprintf(json, "\"sectors\": %llu, \"fewest_sectors\": %llu, \"conflicts\": %llu, \"worst\": %llu}", c.sectors,
                c.fewest, c.conflicts, c.worst);
        comma = true;
    }
    if (json) fprintf(json, "\n]\n"), fclose(json);
}
}  // namespace cpu
#include "callbacks.h"
