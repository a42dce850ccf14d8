// error-text.cpp: エラーの名前と文。CUDA と同じもの。
#include "device.h"

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
