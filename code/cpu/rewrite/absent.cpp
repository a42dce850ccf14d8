// absent.cpp: CPU デバイスにない関数と性質のうち、このファイルが使うものを、初めに宣言しておく。使うと、その行で、
// include/cpu/absent.h の 1 文を言うコンパイルエラーになる。選ばれない #if の中で使うだけなら、何も言わない。
//   cuInit(0);    →  初めに CPU_ABSENT(cuInit, CPU_NO_DRIVER)
#include <cstring>
#include <map>

#include "rewrite.h"

namespace {
struct Family {
    const char *start, *words;  // 名前の始まりと、そのすぐ後の語のどれか。anywhere なら、後のどこにあってもよい
    bool anywhere;
    const char *macro, *sentence;
};
const Family families[] = {
    {"tex", "1D 2D 3D Cubemap", false, "CPU_ABSENT_TEMPLATE", "CPU_NO_TEXTURE"},
    {"surf", "1D 2D 3D Cubemap", false, "CPU_ABSENT_TEMPLATE", "CPU_NO_TEXTURE"},
    {"cuda", "CreateChannelDesc", false, "CPU_ABSENT_TEMPLATE", "CPU_NO_TEXTURE"},
    {"cudaDevAttr", "MaxTexture MaxSurface", false, "CPU_ABSENT", "CPU_NO_TEXTURE"},
    {"cudaDevAttr",
     "CanFlush MemSync D3D12 Vulkan HostNuma HostMemoryPools OnlyPartial GPUDirect Timeline Deferred Sparse Mps GpuPci "
     "IpcEvent MemoryPoolSupported Numa",
     false, "CPU_ABSENT", "CPU_NO_RARE"},
    {"CUDART_", "TWO_TO_ LNPI NORM_HUGE 3PIO4 SQRT_2PI SQRT_PIO2 L2T TWOTHIRD", false, "CPU_ABSENT", "CPU_NO_RARE"},
    {"cuda", "Texture Surface Array", true, "CPU_ABSENT", "CPU_NO_TEXTURE"},
    {"cuda", "Ipc Graphics GL External", true, "CPU_ABSENT", "CPU_NO_SHARING"},
    {"",
     "erfcx cyl_bessel_ __fns __dp2a_ cudaInitDevice cudaSetValidDevices cudaDeviceGetPCIBusId cudaDeviceGetByPCIBusId "
     "cudaHostGetFlags cudaStreamGetId cudaStreamCopyAttributes cudaThreadExchangeStreamCaptureMode",
     false, "CPU_ABSENT", "CPU_NO_RARE"},
    {"cu",
     "Array Ctx Device Driver Event Func Get Graph Init Kernel Launch Library Link Mem Module Occupancy Pointer Stream "
     "TensorMap Tex",
     false, "CPU_ABSENT", "CPU_NO_DRIVER"},
};
}  // namespace

static bool matches(const Family& f, const std::string& name) {
    if (name.compare(0, strlen(f.start), f.start)) return false;
    for (const char* word = f.words; *word; word += strspn(word, " ")) {
        const size_t at = name.find(word, strlen(f.start), strcspn(word, " "));
        if (at == strlen(f.start) || (f.anywhere && at != std::string::npos)) return true;
        word += strcspn(word, " ");
    }
    return false;
}

std::string absentFunctions(const Source& s) {
    bool driver = false;
    for (auto& t : s.tokens) driver |= t.kind == Token::directive && t.text.find("<cuda.h>") != std::string::npos;
    std::map<std::string, const Family*> called;
    for (size_t i = 0; i < s.size(); i++) {
        if (s.tokens[i].kind != Token::word || s.next(i) == s.size()) continue;
        const size_t before = s.previous(i);
        if (before != s.size() && (s[before] == "." || s[before] == "->" || s[before] == "::")) continue;
        const bool call = s[s.next(i)] == "(" || s[s.next(i)] == "<" || !s[i].compare(0, 11, "cudaDevAttr") ||
                          !s[i].compare(0, 7, "CUDART_");
        for (auto& f : families)
            if (call && (driver || strcmp(f.start, "cu")) && matches(f, s[i])) called.insert({s[i], &f});
    }
    for (auto& scope : s.scopes)  // ここで、同じ名前のものを自分で作っている
        for (size_t k = scope.head; scope.kind != Scope::file && k < scope.open; k++) called.erase(s[k]);
    std::string all = called.empty() ? "" : "#include <cpu/absent.h>\n";
    for (auto& c : called) all += std::string(c.second->macro) + "(" + c.first + ", " + c.second->sentence + ")\n";
    return all;
}
