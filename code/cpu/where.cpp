// where.cpp: 命令の番地から .cu の行を求める。Linux では addr2line (binutils)、macOS では atos に聞く。
#include <dlfcn.h>
#include <unistd.h>

#include "device.h"

#ifdef __APPLE__
#include <mach-o/dyld.h>
#else
extern "C" char __executable_start, end;  // リンカが置く、プログラムの始めと終わり
#endif
#include <map>

namespace cpu {
std::string executablePath() {
    char path[4096] = "";
#ifdef __APPLE__
    uint32_t size = sizeof path;
    _NSGetExecutablePath(path, &size);
#else
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
#endif
    return path;
}
char* imageBase() {
#ifdef __APPLE__
    return (char*)_dyld_get_image_header(0);
#else
    return &__executable_start;
#endif
}
bool inImage(const void* p) {
#ifdef __APPLE__
    Dl_info image;
    return dladdr(p, &image) && image.dli_fbase == imageBase();
#else
    return (const char*)p >= &__executable_start && (const char*)p < &end;
#endif
}
std::string where(void* pc) {
    static std::map<void*, std::string> known;
    if (known.count(pc)) return known[pc];
    if (!pc || !inImage(pc)) return "場所は不明";
    // 展開された関数の中なら、呼び出し元も聞いて、リストの中の行を選ぶ
    char command[8192], line[4096] = "";
    std::string s;
    const std::string exe = executablePath();
#ifdef __APPLE__
    snprintf(command, sizeof command, "atos -i -fullPath -o '%s' -l %p %p 2>/dev/null", exe.c_str(), (void*)imageBase(),
             (void*)((char*)pc - 1));
#else
    snprintf(command, sizeof command, "addr2line -i -e '%s' 0x%zx 2>/dev/null", exe.c_str(),
             size_t((char*)pc - imageBase() - 1));
#endif
    if (FILE* f = popen(command, "r")) {
        while (fgets(line, sizeof line, f))
            if (s.empty() || (s.find(".cu:") == std::string::npos && strstr(line, ".cu:"))) s = line;
        pclose(f);
    }
#ifdef __APPLE__
    const size_t open = s.rfind('(');  // "kernel(…) (in 1-race) (/…/code/5.1/1-race.cu:12)"
    if (open != std::string::npos) s = s.substr(open + 1, s.rfind(')') - open - 1);
#endif
    s.erase(s.find_last_not_of(" \n") + 1);
    const size_t note = s.find(" (discriminator");
    if (note != std::string::npos) s.erase(note);
    if (s.empty() || s[0] == '?') s = "場所は不明";
    char cwd[4096];
    if (getcwd(cwd, sizeof cwd) && s.compare(0, strlen(cwd), cwd) == 0) s.erase(0, strlen(cwd) + 1);
    return known[pc] = s;
}
}  // namespace cpu
