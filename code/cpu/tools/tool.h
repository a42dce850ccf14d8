// tool.h: 実行の部品 (scheduler, memory) が検査の道具 (sanitize, count, trace) に知らせること。
// 普段のビルド (CPU_TOOL なし) では、どれも空で、何も残らない。
#pragma once
#include "../device.h"

namespace cpu {
struct Array {  // デバイスのメモリの配列か、共有メモリの配列
    char* p;
    size_t bytes;
    Element element;
    std::string name;
    bool shared;
    Site site;  // 確保した場所 (__device__ 変数なら宣言した場所)
};
#ifdef CPU_TOOL
// デバイスのメモリと共有メモリは、すべてこの区間に置く。だから、アドレスを 1 度比べれば分かる
constexpr size_t kRegionBytes = size_t(64) << 30;
constexpr size_t kSharedBytes = 1 << 20;  // 区間の初めは共有メモリ
extern char* region;

void toolLaunchBegin(const Launch&);
void toolLaunchEnd();
void toolBlockBegin(uint64_t block);
void toolBarrier(const Site*, unsigned live, unsigned threads);  // 生きている全員がバリアに着いた
void toolWarp(unsigned warp, unsigned group, Op, Request* const*);  // ワープの関数で group の全員がそろった
void toolAllocate(const Array&);
void toolRelease(const Array&);
void toolHostWrite(const void* p, size_t bytes);                 // cudaMemcpy か cudaMemset が書いた
void toolHostRead(const void* p, size_t bytes, Site);            // cudaMemcpy が読んだ
void toolGridArrive(bool all);  // ブロックが grid.sync() に着いた。all: 全部がそろった
void toolGridLeave(uint64_t block);  // grid.sync() の続きを動かす
void toolExit();  // プログラムの終わり
#else
inline void toolLaunchBegin(const Launch&) {}
inline void toolLaunchEnd() {}
inline void toolBlockBegin(uint64_t) {}
inline void toolBarrier(const Site*, unsigned, unsigned) {}
inline void toolWarp(unsigned, unsigned, Op, Request* const*) {}
inline void toolAllocate(const Array&) {}
inline void toolRelease(const Array&) {}
inline void toolHostWrite(const void*, size_t) {}
inline void toolHostRead(const void*, size_t, Site) {}
inline void toolGridArrive(bool) {}
inline void toolGridLeave(uint64_t) {}
inline void toolExit() {}
#endif
}  // namespace cpu
