// where.cpp: 命令の番地から .cu の行を求める。Linux では addr2line (binutils)、macOS では atos に聞く。
#include <dlfcn.h>
#include <unistd.h>

#include "device.h"

namespace cpu {
std::string where(void* pc) {
    Dl_info image;
    if (!pc || !dladdr(pc, &image)) return "場所は不明";
    char command[1024], line[1024] = "";
#ifdef __APPLE__
    snprintf(command, sizeof command, "atos -fullPath -o '%s' -l %p %p 2>/dev/null", image.dli_fname, image.dli_fbase, (void*)((char*)pc - 1));
#else
    char exe[512];
    const ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n <= 0) return "場所は不明";
    exe[n] = 0;
    snprintf(command, sizeof command, "addr2line -e '%s' 0x%zx 2>/dev/null", exe, size_t((char*)pc - (char*)image.dli_fbase - 1));
#endif
    FILE* f = popen(command, "r");
    if (!f) return "場所は不明";
    const bool got = fgets(line, sizeof line, f);
    pclose(f);
    if (!got || line[0] == '?') return "場所は不明";
    std::string s = line;
#ifdef __APPLE__
    const size_t open = s.rfind('(');  // "kernel(…) (in 1-race) (/…/code/5.1/1-race.cu:12)"
    if (open != std::string::npos) s = s.substr(open + 1, s.rfind(')') - open - 1);
#endif
    s.erase(s.find_last_not_of(" \n") + 1);
    const size_t note = s.find(" (discriminator");
    if (note != std::string::npos) s.erase(note);
    char cwd[512];
    if (getcwd(cwd, sizeof cwd) && s.compare(0, strlen(cwd), cwd) == 0) s.erase(0, strlen(cwd) + 1);
    return s;
}
}  // namespace cpu
