// where.cpp: 命令の番地から .cu の行を求める。Linux では addr2line (binutils)、macOS では atos に聞く。
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <mutex>

#include "report.h"

#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <mach-o/getsect.h>
#else
extern "C" char __executable_start, etext, __data_start, end;  // リンカが置く、始め、命令の終わり、変数、終わり
#endif
namespace cpu {
#ifdef __APPLE__
static const mach_header_64* header() { return (const mach_header_64*)_dyld_get_image_header(0); }
std::string executablePath() {
    char path[4096] = "";
    uint32_t size = sizeof path;
    _NSGetExecutablePath(path, &size);
    return path;
}
char* imageBase() { return (char*)header(); }
size_t codeBytes() {
    unsigned long bytes = 0;
    getsegmentdata(header(), "__TEXT", &bytes);
    return bytes;
}
size_t imageBytes() {
    unsigned long data = 0;
    char* begin = (char*)getsegmentdata(header(), "__DATA", &data);
    return size_t(begin + data - imageBase());
}
bool inImage(const void* p) {
    Dl_info image;
    return dladdr(p, &image) && image.dli_fbase == imageBase();
}
bool inVariables(const void*) { return false; }  // 分ける印がない
#else
std::string executablePath() {
    char path[4096] = "";
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    return path;
}
char* imageBase() { return &__executable_start; }
size_t codeBytes() { return size_t(&etext - &__executable_start); }
size_t imageBytes() { return size_t(&end - &__executable_start); }
bool inImage(const void* p) { return p >= &__executable_start && p < &end; }
bool inVariables(const void* p) { return p >= &__data_start && p < &end; }
#endif
// このプログラムの番地を、命令に聞く。フォルダの名前には、何が入っていてもよい
static std::string ask(void* pc) {
    std::string path, s;
    for (char c : executablePath()) path += c == '\'' ? "'\\''" : std::string(1, c);
    char command[20000], line[4096];
#ifdef __APPLE__
    snprintf(command, sizeof command, "atos -i -fullPath -o '%s' -l %p %p 2>/dev/null", path.c_str(), imageBase(),
             (char*)pc - 1);
#else
    snprintf(command, sizeof command, "addr2line -i -e '%s' 0x%zx 2>/dev/null", path.c_str(),
             size_t((char*)pc - imageBase() - 1));
#endif
    FILE* const f = popen(command, "r");
    // 展開された関数の中なら、呼び出し元も答えるので、リストの中の行を選ぶ
    while (f && fgets(line, sizeof line, f))
        if (s.empty() || (s.find(".cu:") == std::string::npos && strstr(line, ".cu:"))) s = line;
    if (f) pclose(f);
#ifdef __APPLE__
    const size_t open = s.rfind('(');  // "kernel(…) (in 1-race) (/…/code/5.1/1-race.cu:12)"
    if (open != std::string::npos) s = s.substr(open + 1, s.rfind(')') - open - 1);
#endif
    s.erase(s.find_last_not_of(" \n") + 1);
    const size_t note = s.find(" (discriminator");
    if (note != std::string::npos) s.erase(note);
    if (s.empty() || s[0] == '?' || s.find("code/cpu/") != std::string::npos) s = "場所は不明";
    char cwd[4096];
    if (getcwd(cwd, sizeof cwd) && s.compare(0, strlen(cwd), cwd) == 0) s.erase(0, strlen(cwd) + 1);
    return s;
}
std::string where(void* pc) {
    if (!pc || !inImage(pc)) return "場所は不明";
    static std::mutex mutex;
    static auto& known = *new std::map<void*, std::string>;  // 道具が、プログラムの終わりにも使う。壊さない
    std::lock_guard<std::mutex> lock(mutex);
    const auto found = known.find(pc);
    return found != known.end() ? found->second : known[pc] = ask(pc);
}
}  // namespace cpu
