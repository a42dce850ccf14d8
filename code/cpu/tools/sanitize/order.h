// order.h: 2 つの出来事のどちらが先かが、決まっているか。決め方は付録の「何が何より先か」と同じである。
//
// 時刻 (now) は、バリアのたびに進む。ブロックは 1 つの OS スレッドで順に動かすので、
// 時刻だけで、どのブロックのいつの出来事かが分かる。同じ時刻に違う人がした 2 つのことには、順序がない。
#pragma once
#include "../tool.h"

namespace cpu {
inline bool on;           // カーネルが動いている
inline uint32_t now = 2;  // 1 はホストが書いた時刻
inline uint32_t horizon;  // これより前のことは、誰が見ても先: 起動か、最後の grid.sync()
inline uint32_t blockStart, interval;  // いまのブロック (か grid.sync() の続き) の始め、最後の __syncthreads()
inline uint32_t sharedStart;           // これより前に書かれた共有メモリは、前のブロックのもの

// (time, lane) の出来事は、いまのスレッドがこれからすることより必ず先か。
// strong: これからするのが volatile の読み書き (フェンスがなくても、見えたものの後になる)
bool ordered(uint32_t time, unsigned lane, bool strong = false);
// time から後に、いまのスレッドと何かのバリアを通った人がいるか。誰とかは、覚えていない
bool metSince(uint32_t time, bool anyWarp);
uint64_t blockAt(uint32_t time);  // その時刻に動いていたブロックの番号

enum class Scope { block, device };
void publish(const void* place, Scope, bool replace);  // アトミック演算か volatile の書き込みで、フェンスの前を知らせた
void observe(const void* place, Scope);  // アトミック演算か volatile の読み出しで、知らせを見た
bool hasReleased();  // いまのスレッドは、知らせるものを持っているか
}  // namespace cpu
