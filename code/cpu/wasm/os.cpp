// wasm/os.cpp: WebAssembly には、保護されたページも、いくつものコアもない。
#include "../device/device.h"

#include <cstdlib>
#include <ctime>

namespace cpu {
constexpr size_t kWasmPage = 65536, kWasmPages = 65536;  // 4 GiB まで
const size_t kPageBytes = 4096,
             kHugePageBytes = kWasmPage * kWasmPages - 1;  // 配列の置き方を、ほかの計算機と同じにする
char* mapPages(size_t bytes) { return (char*)aligned_alloc(kPageBytes, bytes); }
void unmapPages(char* p, size_t) { free(p); }
void protectPages(char*, size_t, bool) {}
void preferHugePages(char*, size_t) {}
char* reservePages(size_t bytes) {
    const size_t page = __builtin_wasm_memory_grow(0, (bytes + kWasmPage - 1) / kWasmPage);
    return page == ~size_t(0) ? nullptr : (char*)(page * kWasmPage);
}
void dropPages(char*, size_t) {}
bool isMapped(const void* p) { return size_t(p) / kWasmPage < __builtin_wasm_memory_size(0); }
size_t totalMemory() { return kWasmPage * (kWasmPages - 1); }
size_t availableMemory() { return totalMemory() - __builtin_wasm_memory_size(0) * kWasmPage; }
std::string processorName() { return "WebAssembly"; }
unsigned coreCount() { return 1; }
}  // namespace cpu
// ホストのプログラムのもの。プロセスの時間はないので、進んだ時間を返す
extern "C" clock_t clock() { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }
