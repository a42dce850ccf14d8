// error.cpp: エラーを覚える。名前と文は CUDA と同じ。
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
cudaError_t remember(cudaError_t e) {
    if (e != cudaSuccess) lastError = e, failed = true;
    return e;
}
}  // namespace cpu

cudaError_t cudaGetLastError() {
    const cudaError_t e = lastError;
    lastError = stickyError();
    return e;
}
cudaError_t cudaPeekAtLastError() { return lastError; }
static const struct {
    cudaError_t e;
    const char *name, *text;
} errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
};
const char* cudaGetErrorName(cudaError_t e) {
    for (auto& x : errors)
        if (x.e == e) return x.name;
    return "cudaErrorUnknown";
}
const char* cudaGetErrorString(cudaError_t e) {
    for (auto& x : errors)
        if (x.e == e) return x.text;
    return "unknown error";
}
