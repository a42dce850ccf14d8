// wasm/tools/twice.cpp: プロセスは分けられないので、メモリを初めに戻して、黙ってもう 1 度動かす。
#include <stdio_ext.h>

#include "../../tools/sanitize/sanitize.h"

namespace cpu {
using Copies = std::vector<std::vector<char>>;
static Copies initial;
static unsigned mine;
static uint64_t theirs;

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
unsigned trial() { return mine; }
bool startTrial(unsigned) { return true; }
Verdict endTrial(unsigned k, uint64_t hash) {
    if (mine) return theirs = hash, Verdict::same;
    if (stickyError()) return Verdict::same;
    const Copies after = copies();
    restore(initial);
    fflush(stdout);
    mine = k, muted = true;
    theirs = ~hash;
    static Launch repeated;
    repeated = runningLaunch();
    runGrid(repeated);
    mine = 0, muted = false;
    __fpurge(stdout);
    restore(after);
    forgetSticky();
    return hash == theirs ? Verdict::same : Verdict::different;
}
}  // namespace cpu
