// twice.cpp: 1 つの起動を、メモリを初めに戻して、黙ってもう 1 度動かす。
#ifdef __wasm__
#include <stdio_ext.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

#include "sanitize.h"

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
bool endTrial(unsigned k, uint64_t hash) {
    if (mine) return theirs = hash, false;
    const Copies after = copies();
    if (stickyError() || after.size() != initial.size()) return false;  // カーネルの中で確保していれば、戻せない
    restore(initial);
    mine = k, muted = true;
    theirs = ~hash;
    static Launch repeated;
    repeated = runningLaunch();
    runSilently(repeated);
    mine = 0, muted = false;
    restore(after);
    forgetSticky();
    return hash != theirs;
}
}  // namespace cpu
