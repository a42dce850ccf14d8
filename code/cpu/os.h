// os.h: OS に頼むこと。Linux と macOS では os.cpp、WebAssembly では wasm/os.cpp。
#pragma once
#include <cstddef>
#include <string>
#ifndef __wasm__
#include <mutex>
#endif

namespace cpu {
#ifndef __wasm__
using Mutex = std::mutex;
using RecursiveMutex = std::recursive_mutex;
#else
struct Mutex {  // OS スレッドは 1 つしかない
    void lock() {}
    void unlock() {}
};
using RecursiveMutex = Mutex;
#endif
extern const size_t kPageBytes, kHugePageBytes;  // 保護の単位と、大きな配列を揃える単位
char* mapPages(size_t bytes);                    // なければ nullptr
void unmapPages(char* p, size_t bytes);
void protectPages(char* p, size_t bytes, bool open);  // 触れると止まるようにする (open なら、戻す)
void preferHugePages(char* p, size_t bytes);
char* reservePages(size_t bytes, bool open);  // 場所だけを取る。メモリは、触れるまで使わない。なければ nullptr
void dropPages(char* p, size_t bytes);        // 中身を捨て、触れると止まるようにする
bool isMapped(const void* p);
size_t totalMemory();
size_t availableMemory();
std::string processorName();
unsigned coreCount();
}  // namespace cpu
