// tool.h: 実行の部品と検査の道具 (sanitize, count, trace) の間。
#pragma once
#include "../memory/memory.h"

namespace cpu {
struct Array {  // デバイスのメモリの配列か、共有メモリの配列
    char* p;
    size_t bytes;
    Element element;
    std::string name;
    bool shared;
    Site site;  // 確保した場所 (__device__ 変数なら宣言した場所)
    size_t pitch = 0, width = 0;  // cudaMallocPitch なら、行の始めと始めの間と、行の長さ
    int constant = 0;  // 1: __constant__、2: 初めの値もない
};
inline bool clockRead;  // カーネルが時計を見た: もう 1 度動かすと、違う値になる
enum class Kind : uint8_t { read, write, atomic };  // 触れ方
#define CPU_HOOK(declaration, ...) declaration;
#include "hooks.h"
#undef CPU_HOOK
}  // namespace cpu
