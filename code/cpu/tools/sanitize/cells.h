// cells.h: 覚え書き。メモリの 4 バイトごとに「最後に書いた人」と「最後に読んだ人」を持つ。
// ほとんどの場所はこれで足りる。足りない所だけ、別に大きいものを持つ:
// アトミック演算や volatile で触れる所、2 つのブロックが読む所、バイトごとに触れる所。
#pragma once
#include <deque>

#include "sanitize.h"

namespace cpu {
// いつ、誰が、どこで。命令の番地は 4 で割って 20 ビット (呼び出しの命令は 5 バイトはあるので、これで区別できる)、
// ブロックの中の番号 10 ビット、同じ区間に他にもいたかの印 2 ビット
struct Mark {
    static constexpr uint32_t kLargestPc = 0xfffff;
    enum Others : uint32_t { sameWarp = 1, otherWarp = 2 };
    uint32_t time, who;
    uint32_t pc() const { return who & kLargestPc; }
    unsigned lane() const { return who >> 20 & 1023; }
    uint32_t others() const { return who >> 30; }
};
struct Cell {
    Mark write, read;  // write.time 0: 誰も書いていない。kExtended, kSplit: write.who は、大きいものの番号
};
struct Extended {
    Mark write, read, atomic, strongRead;  // atomic: アトミック演算か volatile の書き込み
    Mark otherRead, otherAtomic;  // 別のブロックの、順序の決まっていない人
    bool inVolatile, readVolatile;  // atomic, strongRead は volatile
    bool blockScope;  // atomic は、ブロックの中だけの約束
    bool othersReleased;  // otherAtomic までの全員が、フェンスの後だった
    bool released;  // atomic の人は、フェンスの後だった
    Mark birth;  // 初めての書き込み: 順序の決まっていない人には、まだ値がないかもしれない
    bool wide, hands;  // atomic は 8 バイトだった、入れ替えた (Touch と同じ)
};
struct Bytes { Cell cell[4]; };
constexpr uint32_t kExtended = ~0u, kSplit = ~1u, kLastTime = ~2u;

template <class T> class Store {  // 番号で引く置き場。場所は動かない
    std::deque<T> all;
    std::vector<uint32_t> free;

 public:
    T& operator[](uint32_t k) { return all[k]; }
    uint32_t add() {
        if (free.empty()) return all.emplace_back(), uint32_t(all.size() - 1);
        const uint32_t k = free.back();
        free.pop_back();
        all[k] = {};
        return k;
    }
    void remove(uint32_t k) { free.push_back(k); }
};

// ---------------------------------------------------------------- rivals.cpp: 触れた人と、前に触れた人たちとの比べ方
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
    bool stores = false;  // アトミックに書くだけで、前の値を見ない
    bool wide = false, hands = false;  // 8 バイトのアトミック演算か volatile、入れ替えるか回すか (封筒や札を渡す)
};
inline char* const image = imageBase();
inline uint32_t who(void* pc, unsigned lane = here.lane) {
    return (uint32_t((char*)pc - image) / 4 & Mark::kLargestPc) | lane << 20;
}
inline uint32_t staleBefore(Space s) { return s == Space::shared ? sharedStart : horizon; }
void note(Mark&, uint32_t me);  // 同じ区間では、初めの人を覚えたまま、他にもいたという印を付ける
// 順序が決まっていなければ報告する
__attribute__((noinline)) bool clash(const Touch&, const Mark&, const char* before, bool strong = false);
// 大きい覚え書きの場所に触れた。普通に書いて、小さい覚え書きに戻せるなら true
bool touch(Extended&, const Touch&);
bool lookEarly(const Touch&);  // 触れる人は、ほかの人が書く前に触れたことにするか。値は here.earlier
inline const char* verb(Kind k) {
    return k == Kind::read ? "読む" : k == Kind::write ? "書く" : "アトミック演算をする";
}
uint32_t readHere(const void* p);  // p を最後に読んだのがいまのスレッドだけなら、その命令。違えば 0
void againstWork(const Extended&, const char* p, Kind);  // 前の仕事が触れた所
}  // namespace cpu
