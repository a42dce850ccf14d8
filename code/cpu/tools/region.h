// region.h: 検査のときの、メモリの置き方。どの道具も同じものを使う。
// デバイスのメモリと共有メモリは、すべて 1 つの区間に置く。だから、アドレスを 1 度比べれば分かる。
#pragma once
#include <unistd.h>

#include "../os.h"
#include "../worker.h"
#include "cpu/shared.h"

namespace cpu {
constexpr size_t kRegionBytes = size_t(1) << (sizeof(size_t) == 8 ? 36 : 27);  // WebAssembly では 128 MiB
constexpr size_t kSharedBytes = 1 << 20;  // 区間の初めは共有メモリ

inline char* reserve(size_t bytes, bool open, const char* what) {
    if (char* m = reservePages(bytes, open)) return m;
    report("検査: %sを置く場所がない: 仮想メモリの制限 (ulimit -v) を外す\n", what);
    _exit(3);
}
inline char* makeRegion() {
    char* r = reserve(kRegionBytes, false, "デバイスのメモリ");
    protectPages(r, kSharedBytes, true);
    return r;
}
inline char* const region = makeRegion();
void registerVariables();  // main の前に作られた __device__ 変数を、配列の一覧に入れる
void placeArrays(unsigned workers);  // 起動のたびに: 共有メモリの場所を決め直し、__device__ 変数を知らせる
}  // namespace cpu
