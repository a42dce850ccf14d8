// wasm/tools/twice.cpp: プロセスは分けられないので、メモリを初めに戻して、黙ってもう 1 度動かす。
#include <stdio_ext.h>

#include "../../tools/sanitize/sanitize.h"

namespace cpu {
using Copies = std::vector<std::vector<char>>;
static Copies initial;
static bool again;
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
    if (!again) initial = copies();
}
bool splitLaunch() { return true; }
bool inOtherLaunch() { return again; }
bool otherLaunchAgrees() {
    const uint64_t mine = arraysHash();
    if (again) return theirs = mine, true;
    if (stickyError()) return true;
    const Copies after = copies();
    restore(initial);
    fflush(stdout);
    again = muted = true;
    theirs = ~mine;
    static Launch repeated;
    repeated = runningLaunch();
    runGrid(repeated);
    again = muted = false;
    __fpurge(stdout);
    restore(after);
    forgetSticky();
    return mine == theirs;
}
}  // namespace cpu
