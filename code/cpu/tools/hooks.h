// hooks.h: 実行の部品が検査の道具 (sanitize, count, trace) に知らせること。宣言と、道具をつながないときにすること。
// tool.h が宣言に、exec/hooks.cpp が弱い定義にする: 道具をつなぐと、道具の同じ名前の関数に置き換わる。
CPU_HOOK(bool toolAttached(), { return false; })
CPU_HOOK(void toolLaunchBegin(const Launch&, unsigned /* workers */), {})
CPU_HOOK(void toolLaunchEnd(), {})
CPU_HOOK(void toolBlockBegin(uint64_t /* block */), {})
// 生きている全員がバリアに着いた
CPU_HOOK(void toolBarrier(const Site*, unsigned /* live */, unsigned /* threads */), {})
// ワープの関数で group の全員がそろった
CPU_HOOK(void toolWarp(unsigned /* warp */, unsigned /* group */, Op, Request* const*), {})
CPU_HOOK(char* toolMap(size_t bytes), { return mapPages(bytes); })  // デバイスのメモリを置くページ。なければ nullptr
CPU_HOOK(void toolUnmap(char* p, size_t bytes), { unmapPages(p, bytes); })
CPU_HOOK(void toolAllocate(const Array&), {})
CPU_HOOK(void toolName(const Array&), {})  // 名前と場所が変わった
CPU_HOOK(void toolRelease(const Array&), {})
CPU_HOOK(void toolHostWrite(const void*, size_t /* bytes */), {})       // cudaMemcpy か cudaMemset が書いた
CPU_HOOK(void toolHostRead(const void*, size_t /* bytes */, Site), {})  // cudaMemcpy が読んだ
// シャッフルで、加わっていないレーンから受け取る値。float なら非数、int なら -1
CPU_HOOK(uint64_t toolAbsent(const Request&, unsigned /* thread */), { return ~uint64_t(0); })
CPU_HOOK(void toolHeap(Site, Element), {})  // カーネルの new の、前と後 (cpu/shared.h)
CPU_HOOK(void toolConstant(const void*, void* /* pc */), {})  // __ldg が読んだ
CPU_HOOK(void toolPipeline(void*, size_t, void* /* to */, const void*), {})  // cuda_pipeline_primitives.h
CPU_HOOK(int toolUnset(Unset& v), { return v.done = true, -1; })  // cpu/wait.h
CPU_HOOK(void toolCopied(const Rows& /* to */, const Rows& /* from */, size_t /* width */, size_t /* height */, Site),
         {})
CPU_HOOK(size_t toolHostRoom(const void*),
         { return ~size_t(0); })  // ここから先に触れてよいバイト数。分からなければ最大
CPU_HOOK(void toolArgument(const Launch&, const void*), {})         // カーネルに渡したポインタ
CPU_HOOK(void toolWorkBegin(cudaStream_t, bool /* host */), {})     // ストリームの仕事を始める。host: ホストの関数
CPU_HOOK(void toolWorkEnd(), {})
CPU_HOOK(void toolWorkSite(Site, const char* /* name */), {})  // 始めた仕事は、どの行の何か
CPU_HOOK(void toolReserved(const void*, size_t /* bytes */), {})  // cudaMallocAsync の仕事
// イベントかストリームの終わりを待った。ask なら、待たずに聞いた: 終わったかを返す
CPU_HOOK(bool toolWaited(cudaStream_t, cudaEvent_t, bool /* ask */), { return true; })
CPU_HOOK(void toolWaitedAll(), {})
CPU_HOOK(void toolRecorded(cudaEvent_t, cudaStream_t), {})
CPU_HOOK(void toolElapsed(cudaEvent_t, Site), {})
CPU_HOOK(void toolStreamWaits(cudaStream_t, cudaEvent_t), {})
CPU_HOOK(void toolGridArrive(bool /* all */), {})  // ブロックが grid.sync() に着いた。all: 全部がそろった
CPU_HOOK(void toolGridLeave(uint64_t /* block */), {})  // grid.sync() の続きを動かす
// いまのスレッドが p に知らせた (ここまでの読み書きは先)。p の知らせを受け取った (ここからの読み書きは後)
CPU_HOOK(void toolSignal(const void*, bool /* waits: 知らせて、そのまま待つ */), {})
CPU_HOOK(void toolAwait(const void*), {})
CPU_HOOK(bool toolAgain(const void*), { return false; })  // その前に、ほかのスレッドを通すか
CPU_HOOK(void toolExit(), {})  // プログラムの終わり
CPU_HOOK(void toolProperties(cudaDeviceProp&), {})  // 装置の性質を答える (webgpu/device.cpp)
