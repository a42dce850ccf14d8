// sanitize.h: 検査の部屋のヘッダ。覚え書きの形だけは cells.h、知っていることの木は clock.h にある。
#pragma once
#include <cwchar>

#include "../arrays.h"

namespace cpu {
// ---------------------------------------------------------------- findings.cpp: 見つけた誤り
inline bool copied;         // カーネルの書いたものを、ホストに写した
inline std::string unread;  // カーネルが書いて、誰も読まないもの: 何も写さないまま終われば言う
bool first(const std::string& key);  // 同じ場所の同じ誤りは 1 度だけ。報告してよいなら true
std::string laneName(unsigned lane);
// 起動やコピーが失敗した後か。値が入っていないのは、そのためである
inline bool afterFailure() { return complaints() || stickyError(); }
// カーネルの pc の行の誤り: 何が、どのスレッドで、続けて言うこと (なければ空)
void complain(const char* key, void* pc, const std::string& sentence, const std::string& more);
std::string complaint(void* pc, const std::string& sentence, const std::string& more);  // カーネルの行の前まで
inline const char* done(Kind k) { return k == Kind::read ? "読んだ" : "書いた"; }

// ---------------------------------------------------------------- heap.cpp: カーネルの中の new
inline size_t heapUsed;  // これまでに取ったバイト数。使ったら、知らないアドレスも、カーネルのものかもしれない
bool inHeap(const void* p);
bool pastHeap(const char* p, size_t bytes);  // ホストが new か malloc した所の、終わりを越えるか
void reportHeap();  // 終わりに、返していないもの

// ---------------------------------------------------------------- bounds.cpp: 触れてよい所か
// 配列の外、ホストのメモリ、境界に揃わない番地、まだ誰も書いていない所
void foreign(char* p, Kind, void* pc);  // デバイスのメモリではない
inline bool isIndex(const char* p) {    // threadIdx など。コンパイラには、普通の変数に見える
    auto in = [p](const auto& v) { return size_t(p - (const char*)&v) < sizeof v; };
    return in(threadIdx) || in(blockIdx) || in(blockDim) || in(gridDim);
}
constexpr size_t kGoneBytes = 4096;  // いまの関数のスタックのすぐ下は、終わった関数の変数である
bool ownMemory(const char* p);  // 自分のスタック、カーネルの引数、プログラムの変数
void constantWrite(char* p, void* pc);
void misaligned(char* p, unsigned bytes, Kind, void* pc);
// まだ誰も書いていない所に初めて触れた。whole: その読み書きの初めの番地。
// written: 書かれているが、配列の中かはまだ調べていない
void firstTouch(char* p, unsigned size, Kind, void* pc, const char* whole, bool written);

// ---------------------------------------------------------------- races.cpp: メモリの覚え書き
bool touchedSince(const char* p, uint32_t time);  // 区間の p に、その時刻の仕事か、それより後の仕事が触れた
bool isUnread(const Array&);  // カーネルが普通に書いて、まだ誰も読んでいない
bool isWritten(size_t word);  // 区間の word 番目の 4 バイトに、誰かが書いたか
bool isFromKernel(size_t word);  // カーネルか
std::string writtenAt(size_t word);  // カーネルのスレッドが最後に書いた行。ホストが書いたなら空
void reveal();                // 前の値に戻しておいた所を、いまの値にする
// rivals.cpp: 起動の終わりに言うことの置き場。同じ命令の競合があれば言わない。もう置いたなら nullptr
std::string* doubt(void* pc);
void settle();                // rivals.cpp: 起動の終わりに、保留した競合と疑いを報告する
size_t filledBytes(const Array&);  // 値があるのは、初めの何バイトか
void forgetCells(const char* p, size_t bytes);  // もう誰のものでもない: 触れれば、配列の外
inline bool pipelined;  // __pipeline_memcpy_async を使った
void forgetTimes();           // 時刻を初めから数え直す: 誰が書いたかは忘れ、書かれたことだけを残す

// ホストが確保して、まだ値を入れていない所 (2 つ目は、g++ の入れるローカル変数のもの)。どの型の値としても、まず現れない
constexpr uint32_t kUnfilled = 0x7fa5c3e1;
inline bool isUnfilled(uint32_t v) { return v == kUnfilled || v == 0xfefefefe; }
inline void unfill(void* p, size_t bytes) {
    wmemset((wchar_t*)p, wchar_t(kUnfilled), std::min(bytes, size_t(1) << 30) / sizeof kUnfilled);
}

// ---------------------------------------------------------------- host.cpp: ホストのコードがメモリに触れたとき
Site copyAt(uint32_t time);  // その時刻のコピーの場所。コピーでなければ、行は 0
void hostAccess(char* p, unsigned size, Kind, void* pc);
void findWritten();  // 起動の終わりに: カーネルが書いたものを見分ける
// ストリームの仕事にも時刻がある。unsure: いまの仕事より先とは限らない、初めの仕事の時刻。workTime: いまの仕事の
inline uint32_t unsure = ~0u, workTime;
void forgetWorks();
// 前の仕事が time に p に触れた。いまの仕事との順序が決まっていなければ、報告する
void againstWork(const char* p, uint32_t time, const char* before, const char* now);

// ---------------------------------------------------------------- rest.cpp: グリッドが小さくて、触れなかった要素
void findRest();  // 起動の終わりに
bool copyRest(const char* p, size_t bytes, Site);  // ホストに写したとき。その中にあれば true

// ---------------------------------------------------------------- absent.cpp: 決まっていない値を、使ったか
void rememberArrays();  // 起動の初めに: もう 1 度動かすのに要るものを覚える
void compareTrials();  // 起動の終わりに

// ---------------------------------------------------------------- order.cpp: どちらが先かが、決まっているか
// 決め方は付録の「何が何より先か」と同じである。
// 時刻 (now) は、バリアのたびに進む。ブロックは 1 つの OS スレッドで順に動かすので、
// 時刻だけで、どのブロックのいつの出来事かが分かる。同じ時刻に違う人がした 2 つのことには、順序がない。
inline uint32_t now = 2;  // 1 はホストが書いた時刻
inline uint32_t launchStart, horizon;  // これより前のことは、誰が見ても先: 起動か、最後の grid.sync()
inline uint32_t blockStart, interval;  // いまのブロック (かその続き) の始め、その中の最後の __syncthreads()
inline uint32_t sharedStart;  // これより前に書かれた共有メモリは、前のブロックのもの

// (time, lane) の出来事は、いまのスレッドがこれからすることより必ず先か。
// strong: これからするのが volatile の読み書き (フェンスがなくても、見えたものの後になる)
bool ordered(uint32_t time, unsigned lane, bool strong = false);
bool heard(uint32_t time, unsigned lane);  // 先か、いまのブロックの誰かが、その知らせを見たか
// time から後に、いまのスレッドと何かのバリアを通った人がいるか。誰とかは、覚えていない
bool metSince(uint32_t time, bool anyWarp);
uint64_t blockAt(uint32_t time);  // その時刻に動いていたブロックの番号

enum class Scope { block, device };
void publish(const void* place, unsigned bytes, Scope,
             bool replace);  // アトミック演算か volatile の書き込みで、フェンスの前を知らせた
void observe(const void* place, unsigned bytes, Scope);  // アトミック演算か volatile の読み出しで、知らせを見た
bool hasReleased();  // いまのスレッドは、知らせるものを持っているか
// life.cpp が呼ぶ: 起動の始まりと終わり、ブロックの始まり、__syncthreads()、__syncwarp()
void beginOrder();
void endOrder();
void enterBlock(uint64_t number);
void joinBlock();
void joinWarp(unsigned warp, unsigned group);
}  // namespace cpu
