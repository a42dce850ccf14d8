// arrays.h: 検査のときの、メモリの置き方と、今ある配列の一覧。どの道具も、アドレスから名前と番号を求めるのに使う。
#pragma once
#include <unistd.h>

#include <algorithm>

#include "../exec/exec.h"
#include "cpu/shared.h"

namespace cpu {
// デバイスのメモリと共有メモリは、すべて 1 つの区間に置く。だから、アドレスを 1 度比べれば分かる。
constexpr size_t kRegionBytes = size_t(1) << (sizeof(size_t) == 8 ? 36 : 27);  // WebAssembly では 128 MiB
constexpr size_t kSharedBytes = 1 << 20;  // 区間の初めは共有メモリ

inline char* reserve(size_t bytes, const char* what) {
    if (char* m = reservePages(bytes)) return m;
    stopProgram("検査: %sを置く場所がない: 仮想メモリの制限 (ulimit -v) を外す\n", what);
}
inline char* makeRegion() {
    char* r = reserve(kRegionBytes, "デバイスのメモリ");
    protectPages(r + kSharedBytes, kRegionBytes - kSharedBytes, false);
    return r;
}
inline char* const region = makeRegion();
void placeArrays(unsigned workers);  // 起動のたびに: 共有メモリの配列を忘れて場所を決め直し、__device__ 変数を知らせる

inline std::vector<Array> arrays;
inline const Array* lastArray;  // 最後に見つけた配列。同じ配列に続けて触れることが多い
inline char *variablesBegin, *variablesEnd;  // __device__ 変数のある範囲。ホストの変数も混ざっている

inline bool contains(const Array* a, const char* p, unsigned size = 1) {
    return a && p >= a->p && p + size <= a->p + a->bytes;
}
inline const Array* findArray(const char* p) {
    if (contains(lastArray, p)) return lastArray;
    for (auto& a : arrays)
        if (contains(&a, p)) return lastArray = &a;
    return nullptr;
}
inline std::string elementName(const Array& a, const char* p) {
    const long offset = p - a.p, bytes = long(a.element.bytes),
               i = offset >= 0 ? offset / bytes : -((bytes - 1 - offset) / bytes);
    return a.name + "[" + std::to_string(i) + "]";
}
inline const char* space(const Array& a) { return a.shared ? "共有メモリ " : "グローバルメモリ "; }
inline std::string placeName(const Array& a, const char* p) { return space(a) + elementName(a, p); }
inline void nameArray(const Array& named) {
    for (auto& a : arrays)
        if (a.p == named.p) a = named;
}
inline void addArray(const Array& a) {
    arrays.push_back(a);
    lastArray = nullptr;
    if (size_t(a.p - region) < kRegionBytes) return;
    variablesBegin = variablesBegin ? std::min(variablesBegin, a.p) : a.p;
    variablesEnd = std::max(variablesEnd, a.p + a.bytes);
}
inline bool isVariable(const char* p) { return p >= variablesBegin && p < variablesEnd && findArray(p); }
// cudaMalloc した配列、共有メモリ、__device__ 変数。どれでもなければ、スタックや引数など
inline bool isDeviceMemory(const char* p) { return size_t(p - region) < kRegionBytes || isVariable(p); }
void reportNearest(char* p);  // region.cpp: いちばん近い配列の、何番目か
[[noreturn]] void failOutside(char* p, void* pc);  // region.cpp: 配列の外に触れたので、やめる (count, trace)
template <class Condition> void removeArrays(Condition gone) {
    arrays.erase(std::remove_if(arrays.begin(), arrays.end(), gone), arrays.end());
    lastArray = nullptr;
}
inline void removeArray(const Array& a) {
    removeArrays([&a](const Array& b) { return b.p == a.p; });
}
}  // namespace cpu
