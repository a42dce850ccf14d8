// rivals.h: 1 か所に触れた人と、前に触れた人たちとの比べ方。
#pragma once
#include "bounds.h"
#include "cells.h"

namespace cpu {
enum class Space { global, shared, variable };
struct Touch {  // 1 度の読み書き
    char* p;
    unsigned size;
    Space space;
    Kind kind;
    void* pc;
    bool isVolatile = false, compares = false;  // compares: atomicCAS
    Scope scope = Scope::device;
    unsigned lane = here.lane;
    char* whole = p;  // 8 バイトや memcpy を 4 バイトずつに分けても、初めの番地は覚えておく
};
inline char* const image = imageBase();
inline uint32_t who(void* pc, unsigned lane = here.lane) {
    return (uint32_t((char*)pc - image) / 4 & Mark::kLargestPc) | lane << 20;
}
inline uint32_t staleBefore(Space s) { return s == Space::shared ? sharedStart : horizon; }
void note(Mark&, uint32_t me);  // 同じ区間では、初めの人を覚えたまま、他にもいたという印を付ける
bool clash(const Touch&, const Mark&, const char* before, bool strong = false);  // 順序が決まっていなければ報告する
// 大きい覚え書きの場所に触れた。普通に書いて、小さい覚え書きに戻せるなら true
bool touch(Extended&, const Touch&);
void settleUnless(const char* compared);  // 保留した競合を報告する。compared: いま atomicCAS で確かめる所
}  // namespace cpu
