// error.cpp: エラーを覚える。
#include <atomic>

#include "device.h"

using namespace cpu;
static cudaError_t lastError = cudaSuccess;
static bool failed = false;
static std::atomic<cudaError_t> sticky{cudaSuccess};
namespace cpu {
bool anyError() { return failed; }
cudaError_t stickyError() { return sticky; }
void setSticky(cudaError_t e) {
    cudaError_t none = cudaSuccess;
    sticky.compare_exchange_strong(none, e);  // 最初の誤りだけを残す
}
void forgetSticky() { sticky = cudaSuccess; }
cudaError_t remember(cudaError_t e) {
    if (e != cudaSuccess) lastError = e, failed = true;
    return e;
}
}  // namespace cpu

cudaError_t cudaGetLastError() { return std::exchange(lastError, stickyError()); }
cudaError_t cudaPeekAtLastError() { return lastError; }
