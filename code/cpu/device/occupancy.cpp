// occupancy.cpp: 1 つの SM に同時に載るブロックの数と、カーネルの性質。SM の大きさは、いまの GPU と同じにする。
// レジスタの数は決めていないので、それが足りなくなることはないとする。
#include <algorithm>

#include "cpu/kernel.h"
#include "device.h"

namespace cpu {
constexpr int kWarpsPerSM = 64, kBlocksPerSM = 32;
static size_t sharedLimit = kDefaultShared;
size_t allowedShared() { return sharedLimit; }
void allowDynamicShared(size_t bytes) { sharedLimit = std::max(sharedLimit, std::min(bytes, kMaxShared)); }
int occupancy(int block, size_t sharedBytes) {
    if (block <= 0 || block > int(kMaxThreads)) return 0;
    const size_t byShared = sharedBytes ? kMaxShared / sharedBytes : kBlocksPerSM;
    return int(std::min<size_t>(std::min(kWarpsPerSM / ((block + 31) / 32), kBlocksPerSM), byShared));
}
cudaError_t bestBlock(int* grid, int* block, size_t sharedBytes, int limit) {
    *block = 0;  // 載るスレッドが最も多いもの。同じなら、大きいブロック
    for (int b = limit > 0 ? std::min(limit, int(kMaxThreads)) : int(kMaxThreads); b > 0; b = (b - 1) / 32 * 32)
        if (occupancy(b, sharedBytes) * b > occupancy(*block, sharedBytes) * *block) *block = b;
    *grid = kSMs * occupancy(*block, sharedBytes);
    return *block ? cudaSuccess : remember(cudaErrorInvalidValue);
}
cudaError_t functionAttributes(cudaFuncAttributes* a) {
    // 共有メモリの大きさやレジスタの数は、C++ コンパイラからは分からない。レジスタは、いちばん多く載る数
    *a = {0, 0, 0, int(kMaxThreads), 65536 / (kWarpsPerSM * 32), 90, 90, 0, int(sharedLimit), -1};
    return cudaSuccess;
}
}  // namespace cpu

using namespace cpu;
static size_t limits[] = {kStackBytes, 1 << 20, 8 << 20};
constexpr size_t kLimits = sizeof limits / sizeof *limits;
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    if (size_t(limit) >= kLimits) return remember(cudaErrorUnsupportedLimit);
    if (limit == cudaLimitStackSize && value > kStackBytes) {
        report("CPU デバイス: スレッドのスタックは %zu KiB まで: cudaDeviceSetLimit で増やせない\n",
               kStackBytes / 1024);
        return remember(cudaErrorMemoryAllocation);
    }
    if (limit != cudaLimitStackSize) limits[limit] = value;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    if (size_t(limit) >= kLimits) return remember(cudaErrorUnsupportedLimit);
    return answer(value, limits[limit]);
}
