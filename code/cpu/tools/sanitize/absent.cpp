// absent.cpp: 決まっていない値を、使ったか捨てたか: シャッフルで、加わっていないレーンから受け取った値と、
// 値を入れていない変数の値。持つだけなら誤りではない。違う値で、メモリを初めに戻して、黙ってもう 1 度動かし、
// 終わりのメモリを比べる: 違っていれば、決まっていない値を使っている。
#ifdef __wasm__
#include <stdio_ext.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

#include <map>

#include "sanitize.h"

namespace cpu {
struct Trial {  // 試すこと
    const Site* site;  // シャッフルなら、その場所
    unsigned thread, lane;
    const Unset* variable;  // 変数
    int byte;  // その初めの値
};
static std::vector<Trial> trials;  // この起動の
static const Trial* mine;          // いま試しているもの。初めの 1 度なら nullptr
static uint64_t theirs;            // 試した終わりのメモリ
using Copies = std::vector<std::vector<char>>;
static Copies initial;  // 起動の初めのメモリ

static void complain(const Site* s, unsigned thread, unsigned lane) {
    if (!first("レーン" + std::string(s->file) + std::to_string(s->line))) return;
    report(
        "検査: シャッフルで、加わっていないレーンの値を使った: 値は決まらない\n"
        "  %s:%d: スレッド %u がレーン %u を読む\n"
        "  %s\n",
        s->file, s->line, thread, lane,
        thread / 32 * 32 + lane < self->threads
            ? "そのレーンは、もうカーネルを終えているか、マスクに入っていない"
            : "そのレーンは、いない: ブロックの大きさを 32 の倍数にするか、いるレーンだけのマスクと幅にする");
    if (here.inKernel) reportKernel();
}
static void complain(const Unset& v) {
    if (!first("変数" + std::string(v.site.file) + std::to_string(v.site.line) + v.name)) return;
    report(
        "検査: 変数 %s に、値を入れる前に使う: 初めの値を変えると、カーネルの書く値が変わった\n"
        "  %s:%d で宣言した。= 0 のように、初めの値を入れる\n",
        v.name, v.site.file, v.site.line);
}
uint64_t toolAbsent(const Request& r, unsigned thread) {
    constexpr int kMaxTries = 8;  // 同じ行を、何回の起動で試すか
    static std::map<const Site*, int> tries;
    constexpr uint64_t kOne = ~uint64_t(0), kOther = 0x2a2a2a2a2a2a2a2a;
    if (mine) return mine->site ? kOther : kOne;
    if (std::any_of(trials.begin(), trials.end(), [](auto& t) { return t.site; })) return kOne;
    if (runningLaunch().cooperative) complain(r.site, thread, r.from & 31);  // いくつものブロックが、途中で待っている
    else if (tries[r.site]++ < kMaxTries) trials.push_back({r.site, thread, r.from & 31, nullptr, 0});
    return kOne;
}
int toolUnset(Unset& v) {
    constexpr size_t kMaxTrials = 8;  // 1 つの起動で
    constexpr unsigned kMaxLaunches = 2;
    if (mine) return mine->variable == &v ? mine->byte : -1;
    if (!here.inKernel || v.launch == workTime || runningLaunch().cooperative) return -1;
    v.launch = workTime;
    if (++v.launches > kMaxLaunches) return v.done = true, -1;
    for (int byte : {0x7e, 0})
        if (trials.size() < kMaxTrials) trials.push_back({nullptr, 0, 0, &v, byte});
    return -1;
}
// 変数の値をそのまま書いた所は、比べない: ホストに写すときに調べる (bounds.cpp)
static uint64_t arraysHash() {
    uint64_t h = stickyError();
    std::vector<char> known;
    for (auto& a : arrays) {
        if (a.shared) continue;
        known.assign(a.p, a.p + a.bytes);
        for (char& c : known)
            if (c == char(0xfe) || c == char(0xaa) || c == 0x7e) c = 0;
        h = hashBytes(known.data(), a.bytes, h + 1);
    }
    return h;
}
static Copies copies() {
    Copies all;
    for (auto& a : arrays)
        if (!a.shared) all.emplace_back(a.p, a.p + a.bytes);
    return all;
}
static void restore(const Copies& all) {
    size_t k = 0;
    for (auto& a : arrays)
        if (!a.shared) memcpy(a.p, all[k++].data(), a.bytes);
}
void rememberArrays() {
    if (!mine) initial = copies();
}
static void runSilently(const Launch& l) {  // printf の書くものは、捨てる
    fflush(stdout);
#ifdef __wasm__
    runGrid(l);
    __fpurge(stdout);
#else
    const int shown = dup(1), nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1), close(nowhere);
    runGrid(l);
    fflush(stdout);
    dup2(shown, 1), close(shown);
#endif
}
void compareTrials() {
    if (mine) return void(theirs = arraysHash());
    if (heapUsed) trials.clear();  // カーネルの new は、もう 1 度動かす前に戻せない
    // 初めの 1 度は、何も変えない。見える値を変える検査 (looksBack) は、足す順も変えるので、試す間は休む
    if (!trials.empty()) trials.insert(trials.begin(), {nullptr, 0, 0, nullptr, 0});
    uint64_t hash = 0;
    const bool looks = looksBack, waited = looked;
    for (const Trial& t : trials) {
        const Copies after = copies();
        if (stickyError() || after.size() != initial.size()) break;  // カーネルの中で確保していれば、戻せない
        restore(initial);
        mine = &t, muted = true, looksBack = false, theirs = ~hash;
        static Launch repeated;
        repeated = runningLaunch();
        runSilently(repeated);
        mine = nullptr, muted = false, looksBack = looks, looked = waited;
        restore(after);
        forgetSticky();
        if (&t == trials.data()) hash = theirs;
        if (theirs == hash) continue;
        if (t.site) complain(t.site, t.thread, t.lane);
        if (t.variable && !clockRead) complain(*t.variable);
    }
    trials.clear();
}
}  // namespace cpu
