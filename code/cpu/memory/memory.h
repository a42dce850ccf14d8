// memory.h: デバイスのメモリ。
#pragma once

#include "../device/device.h"

namespace cpu {
size_t allocatedBytes();
void reportLeaks();  // プログラムの終わりに 1 度だけ
Memory memoryOf(const void* p);
inline bool isDevice(Memory m) { return m == Memory::device || m == Memory::variable; }
inline bool isEverywhere(Memory m) { return m >= Memory::host; }  // ホストとデバイスの両方から触れる
bool inside(const char* what, const void* p, size_t bytes, bool device, Site);  // 触れてよい範囲か。違えば報告する
cudaError_t gone(const char* what, Site, cudaError_t = cudaErrorInvalidResourceHandle);  // もうないものを使った
struct Exclusive {  // 他の OS スレッドの仕事と重ならない間。ホストの仕事は、カーネルとも重ならない
    Exclusive();
    ~Exclusive();
};
void openMemory();  // カーネルの間だけ、デバイスのメモリに触れるようにする
void closeMemory();
struct HostWork {  // ホストがデバイスのメモリに触れる間
    Exclusive exclusive;
    HostWork() { openMemory(); }
    ~HostWork() { closeMemory(); }
};
bool inDeviceMemory(const void* p);
bool describeAddress(const void* p, bool inKernel);  // p がどの配列の何番目かを報告する
void describeFailure();  // ヌルポインタを使った: 失敗した確保があれば、報告する
bool describeFreed(const void* p);  // p がもう解放した所なら報告する
bool inStacks(const void* p);  // どれかのスレッドのスタックか (stack.cpp)
bool ownVariables(const void* p);  // スタックの外にある、いまのスレッドの変数か (stack.cpp)
}  // namespace cpu
