// os.cpp: OS に頼むこと (Linux と macOS)。
#include "device.h"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <thread>
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

namespace cpu {
const size_t kPageBytes = sysconf(_SC_PAGESIZE), kHugePageBytes = 2 << 20;
char* mapPages(size_t bytes) {
    void* m = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
    return m == MAP_FAILED ? nullptr : (char*)m;
}
void unmapPages(char* p, size_t bytes) { munmap(p, bytes); }
void protectPages(char* p, size_t bytes, bool open) { mprotect(p, bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE); }
void preferHugePages([[maybe_unused]] char* p, [[maybe_unused]] size_t bytes) {
#ifdef MADV_HUGEPAGE
    madvise(p, bytes, MADV_HUGEPAGE);
#endif
}
char* reservePages(size_t bytes) { return mapPages(bytes); }
void dropPages(char* p, size_t bytes) {
    madvise(p, bytes, MADV_DONTNEED);
    protectPages(p, bytes, false);
}
bool isMapped(const void* p) { return msync((void*)(uintptr_t(p) / kPageBytes * kPageBytes), 1, MS_ASYNC) == 0; }
size_t totalMemory() { return size_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE); }
static void scan(const char* file, const char* format, void* to) {  // 形の合う行から読む
    char line[256];
    FILE* f = fopen(file, "r");
    while (f && fgets(line, sizeof line, f) && sscanf(line, format, to) != 1) {
    }
    if (f) fclose(f);
}
size_t availableMemory() {
    size_t kib = 0;
    scan("/proc/meminfo", "MemAvailable: %zu", &kib);
    return kib ? kib * 1024 : totalMemory() / 2;  // 分からなければ、全体の半分
}
std::string processorName() {
    char name[128] = "CPU";
#ifdef __APPLE__
    size_t n = sizeof name;
    sysctlbyname("machdep.cpu.brand_string", name, &n, nullptr, 0);
#else
    scan("/proc/cpuinfo", "model name : %127[^\n]", name);
#endif
    return name;
}
unsigned coreCount() {
    unsigned own = std::thread::hardware_concurrency();
#ifdef __linux__
    cpu_set_t allowed;  // taskset やコンテナが、使えるコアを限ることがある
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) own = CPU_COUNT(&allowed);
#endif
    return std::min(64u, std::max(1u, own));
}
}  // namespace cpu
