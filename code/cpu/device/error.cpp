// error.cpp: エラーを覚える。名前と文は、CUDA と同じもの。
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

static const struct {
    cudaError_t e;
    const char *name, *text;
} errors[] = {
#define CPU_ERROR(name, number, text) {name, #name, text},
    CPU_ERRORS(CPU_ERROR)};
static const char* find(cudaError_t e, bool name) {
    for (auto& x : errors)
        if (x.e == e) return name ? x.name : x.text;
    return "unrecognized error code";
}
const char* cudaGetErrorName(cudaError_t e) { return find(e, true); }
const char* cudaGetErrorString(cudaError_t e) { return find(e, false); }
