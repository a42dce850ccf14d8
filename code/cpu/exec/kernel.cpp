// kernel.cpp: アドレスで指すカーネル。(void*)kernel では引数の型が消えるので、型を知る所で覚えておく。
#include "cpu/intrinsics.h"
#include "cpu/kernel.h"

#include <map>

#include "exec.h"

namespace cpu {
struct Known {
    std::string name;
    KernelCall call;
};
static auto& kernels = *new std::map<const void*, Known>;
// 引数の文から、1 つだけを切り出す。sum<float, 256> の中のコンマでは切らない
std::string argumentText(const Arguments& a) {
    int depth = 0, k = 0;
    std::string name;
    for (const char* p = a.text; *p && k <= a.number; p++) {
        depth += (strchr("(<[{", *p) != nullptr) - (strchr(")>]}", *p) != nullptr);
        if (*p == ',' && depth == 0) k++;
        else if (k == a.number && (!name.empty() || !strchr(" &", *p))) name += *p;
    }
    return name;
}
void rememberKernel(const void* f, const Arguments& a, KernelCall call) {
    const Exclusive lock;
    if (!kernels.count(f)) kernels.insert({f, {argumentText(a), call}});
}
const char* kernelName(const void* f) {
    const auto it = kernels.find(f);
    return it == kernels.end() ? "カーネル" : it->second.name.c_str();
}
cudaError_t launchAddress(const Launch& l, const void* f, void** args) {
    const cudaError_t e = checkLaunch(l);
    if (e != cudaSuccess) return e;
    const auto it = kernels.find(f);
    if (it == kernels.end()) {
        report("CPU デバイス: 起動するカーネルが分からない: (void*)カーネルの名前 の形で渡す\n  %s:%d\n", l.site->file,
               l.site->line);
        return remember(cudaErrorInvalidDeviceFunction);
    }
    submit(l.stream, *std::unique_ptr<Operation>(it->second.call(l, f, args)));
    return remember(stickyError());
}
}  // namespace cpu

// カーネルの中の時計。1 ナノ秒に 1 つ進む (cudaDevAttrClockRate は 1 GHz と答える)。
// 時計を見て待つスレッドは、先を譲る: ブロックの全員の待つ時間が、GPU と同じように重なる。
long long cpu::clockNow() {
    clockRead = true;
    return std::chrono::steady_clock::now().time_since_epoch().count();
}
