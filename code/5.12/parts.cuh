// 5.12 の分け方。どのリストも使う
#pragma once
#include "../5.9/workspace.cuh"

// --8<-- [start:part]
// n 個を count 人に分けたときの、k 番目の人の受け持ち。余りは前の人から 1 個ずつ持つ。n < count なら、持たない人もいる
struct Part { long long first, length; };
inline Part partOf(long long n, int k, int count) {
    const long long each = n / count, rest = n % count;
    return {k * each + std::min<long long>(k, rest), each + (k < rest)};
}
// --8<-- [end:part]

// --8<-- [start:use]
// これから頼むことは、この GPU に頼む
inline int use(int device) {
    CHECK(cudaSetDevice(device));
    return device;
}
// --8<-- [end:use]
