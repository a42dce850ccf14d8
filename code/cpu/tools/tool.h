// tool.h: 実行の部品が検査の道具 (sanitize, count, trace) に知らせること。
// 道具をつながないプログラムでは、hooks.cpp の何もしない関数が呼ばれる。だから、部品は 1 度だけコンパイルすればよい。
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
};
inline bool clockRead;  // カーネルが時計を見た: もう 1 度動かすと、違う値になる
enum class Kind : uint8_t { read, write, atomic };  // 触れ方
bool toolAttached();
void toolLaunchBegin(const Launch&, unsigned workers);
void toolLaunchEnd();
void toolBlockBegin(uint64_t block);
void toolBarrier(const Site*, unsigned live, unsigned threads);  // 生きている全員がバリアに着いた
void toolWarp(unsigned warp, unsigned group, Op, Request* const*);  // ワープの関数で group の全員がそろった
char* toolMap(size_t bytes);  // デバイスのメモリを置くページ。なければ nullptr
void toolUnmap(char* p, size_t bytes);
void toolAllocate(const Array&);
void toolName(const Array&);  // 名前と場所が変わった
void toolRelease(const Array&);
void toolHostWrite(const void* p, size_t bytes);                 // cudaMemcpy か cudaMemset が書いた
void toolHostRead(const void* p, size_t bytes, Site);            // cudaMemcpy が読んだ
uint64_t toolAbsent(const Request&, unsigned thread);  // シャッフルで、加わっていないレーンから受け取る値
// ストリームに入れた仕事の終わりを、ホストが待ったか。引数のないストリームは既定のもの
void toolCopyStarted(const void* to, const void* from, size_t bytes, cudaStream_t, Site);
size_t toolHostRoom(const void* p);  // ホストの p から先に触れてよいバイト数。分からなければ最大
void toolArgument(const Launch&, const void* p);  // カーネルに渡したポインタ
void toolWorkBegin(cudaStream_t, bool host);  // ストリームの仕事を始める。host: ホストの関数
void toolWorkEnd();
void toolWorkSite(Site, const char* name);  // 始めた仕事は、どの行の何か
void toolWaited(cudaStream_t);
void toolWaitedAll();
void toolRecorded(cudaEvent_t, cudaStream_t);
void toolWaitedEvent(cudaEvent_t);
void toolElapsed(cudaEvent_t, Site);
void toolStreamWaits(cudaStream_t, cudaEvent_t);
void toolGridArrive(bool all);  // ブロックが grid.sync() に着いた。all: 全部がそろった
void toolGridLeave(uint64_t block);  // grid.sync() の続きを動かす
// いまのスレッドが p に知らせた (ここまでの読み書きは先)。p の知らせを受け取った (ここからの読み書きは後)
void toolSignal(const void* p);
void toolAwait(const void* p);
void toolExit();  // プログラムの終わり
}  // namespace cpu
