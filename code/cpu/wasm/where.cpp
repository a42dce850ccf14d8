// wasm/where.cpp: 命令の番地の代わりに、番号がある。
// ページの中のコンパイラが、番号の順に行を並べた表を添える (lines.js)。
#include "../report/report.h"

extern "C" {
void* cpu_place;  // いまの命令
extern const char* const cpu_places[] __attribute__((weak));
extern const unsigned cpu_place_count __attribute__((weak));
extern char __global_base, __data_end;  // リンカが置く、変数の始めと終わり
extern char __start_cpu_shared __attribute__((weak)),
    __stop_cpu_shared __attribute__((weak));  // language.h の __shared__
}

namespace cpu {
static size_t count() { return &cpu_place_count ? cpu_place_count : 0; }
std::string where(void* pc) {  // 番号は 4 つおき
    const size_t k = size_t(pc) / 4;
    return k < count() && *cpu_places[k] ? cpu_places[k] : "場所は不明";
}
std::string whereCalled(const void* pc, void* const*, unsigned) { return where((void*)pc); }
std::string executablePath() { return "listing"; }
char* imageBase() { return nullptr; }
size_t codeBytes() { return count() * 4; }
size_t imageBytes() { return size_t(&__data_end); }
bool inImage(const void* p) { return p >= &__global_base && p < &__data_end; }
bool inVariables(const void* p) { return inImage(p) && (p < &__start_cpu_shared || p >= &__stop_cpu_shared); }
}  // namespace cpu
