// report.cpp: 誤りの報告。どのカーネルの、どのブロックの、どのスレッドが、どこで何をしているか。
#include <unistd.h>

#include <cstdarg>
#include <map>

#include "../exec/exec.h"

namespace cpu {
static std::atomic<unsigned> complained;
unsigned complaints() { return complained; }
bool muted = false;
static void say(const char* format, va_list a) {
    if (muted) return;
    if (!strncmp(format, "CPU デバイス:", strlen("CPU デバイス:"))) complained++;
    vfprintf(stderr, format, a);
}
void report(const char* format, ...) {
    va_list a;
    va_start(a, format);
    say(format, a);
    va_end(a);
}
void stopProgram(const char* format, ...) {
    fflush(stdout);
    va_list a;
    va_start(a, format);
    say(format, a);
    _exit(3);
}
std::string indexName(const uint3& i, const dim3& d) {
    if (d.y == 1 && d.z == 1) return std::to_string(i.x);
    return "(" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) + ")";
}
std::string triple(const dim3& d) { return indexName(d, d); }
std::string threadName() {
    return "ブロック " + indexName(here.block, here.gridSize) + " のスレッド " + indexName(threadIdx, here.blockSize);
}
void reportKernel() {
    const Launch& l = runningLaunch();
    report("  カーネル %s<<<%s, %s>>> (%s:%d で起動), ブロック %s\n", l.name, triple(l.grid).c_str(),
           triple(l.block).c_str(), l.site->file, l.site->line, indexName(here.block, here.gridSize).c_str());
}
static std::string ranges(const std::vector<unsigned>& v) {  // 0-31,40
    std::string s;
    for (size_t i = 0; i < v.size();) {
        size_t k = i;
        while (k + 1 < v.size() && v[k + 1] == v[k] + 1) k++;
        s += (s.empty() ? "" : ",") + std::to_string(v[i]) + (k > i ? "-" + std::to_string(v[k]) : "");
        i = k + 1;
    }
    return s;
}
static const char* opName(Op op) {
    static const char* names[] = {"__syncwarp",        "__shfl_*_sync",     "__ballot_sync (か any, all)",
                                  "__match_any_sync",  "__activemask",      "__reduce_add_sync",
                                  "__reduce_min_sync", "__reduce_max_sync", "__reduce_min_sync",
                                  "__reduce_max_sync", "__reduce_and_sync", "__reduce_or_sync",
                                  "__reduce_xor_sync"};
    return names[int(op)];
}
static void reportWaiting(const Schedule& s) {  // 誰がどこで何を待っているか
    std::map<std::tuple<std::string, int, std::string>, std::vector<unsigned>> groups;  // ファイル、行、待つ相手
    std::vector<unsigned> finished;
    for (unsigned t = 0; t < s.threads; t++) {
        const Warp& q = s.warp[t / 32];
        const unsigned bit = 1u << t % 32;
        if (!(q.live & bit)) {
            finished.push_back(t);
            continue;
        }
        char what[96] = "__syncthreads()";
        if (q.atWarp & bit)
            snprintf(what, sizeof what, "%s (マスク 0x%08x)", opName(q.request[t % 32]->op), q.request[t % 32]->mask);
        else if (!(q.atBarrier & bit)) continue;
        groups[{s.site[t]->file, s.site[t]->line, what}].push_back(t);
    }
    for (auto& [at, threads] : groups)
        report("  %s:%d: スレッド %s が %s で待っている\n", std::get<0>(at).c_str(), std::get<1>(at),
               ranges(threads).c_str(), std::get<2>(at).c_str());
    if (!finished.empty()) report("  スレッド %s はカーネルを終えている\n", ranges(finished).c_str());
}
void adviseWaiting(bool yields) {  // 何かが変わるのを待っている。待てる相手は誰か
    const dim3 &g = here.gridSize, &b = here.blockSize;
    if (b.x * b.y * b.z > 1 && !yields)
        report(
            "  同じブロックの他のスレッドを待っているなら、ここでは来ない: __syncthreads() か __syncwarp() で待つ\n");
    if (uint64_t(g.x) * g.y * g.z > 1 && (kInPage || !runningLaunch().cooperative))
        report(
            "  別のブロックを待っているなら、後の番号のブロックはまだ始まっていない: カーネルを分けるか、"
            "協調起動の grid.sync() で待つ\n");
    report(
        "  ホストか、後で起動したカーネルを待っているなら、CPU デバイスでは、どちらもこのカーネルの後に動く: "
        "起動する前に値を決めるか、GPU で動かす\n");
}
void failTouch(const void* a, void* pc, bool deep) {
    failKernel(cudaErrorIllegalAddress, [&] {
        report("CPU デバイス: カーネルが、触れてはいけないアドレスに触れた: %s\n  %s, アドレス %p\n",
               threadName().c_str(), where(pc).c_str(), a);
        if (deep)
            report("  スレッドのスタック (%zu KiB) を使い切った: カーネルの中の大きな配列や再帰をやめる\n",
                   kStackBytes / 1024);
        else if (uintptr_t(a) >= 65536 && describeAddress(a, true)) return;
        else if (uintptr_t(a) >= 65536) report("  %s\n", kFar);
        else report("  ヌルポインタを使った: 確保していないか、確保に失敗している (動的共有メモリなら、大きさが 0)\n");
        describeFailure();
    });
}
void failHostTouch(const void* a, const std::string& place) {
    fflush(stdout);
    report("CPU デバイス: ホストのコードが、%sに触れた\n  %s\n",
           isDevice(memoryOf(a)) ? "デバイスのメモリ" : "配列の外", place.c_str());
    describeAddress(a, false);
    _exit(3);
}
void failBlock(const char* sentence, cudaError_t e) {
    if (claimReport()) {
        report("CPU デバイス: %s\n", sentence);
        reportKernel();
        if (self->general) reportWaiting(*self);
    }
    abortBlock(e);
}
// 場所を 1 つの番地にする。同じ行からは、いつも同じ番地が返る。
const Site* place(const char* file, int line) {
    static thread_local const Site* last = nullptr;  // 続けて同じ行から呼ばれることが多い
    if (last && last->line == line && last->file == file) return last;
    static Mutex mutex;
    static auto& sites = *new std::map<std::pair<const char*, int>, Site>;
    std::lock_guard<Mutex> lock(mutex);
    return last = &sites.insert({{file, line}, {file, line}}).first->second;
}
}  // namespace cpu
