// architecture.cpp: __CUDA_ARCH__。nvcc はホストとデバイスを別々に読み、デバイスのときだけ、これを 900 などと決める。
// CPU デバイスは 1 度しか読まないので、デバイスだけの関数 (__global__ か、__host__ のない __device__) の中でだけ 900 にする。
#include "rewrite.h"

static bool onDevice(const Source& s, size_t i) {
    const Scope* f = s.function(i);
    while (f && f->kind == Scope::lambda) f = s.function(f->head);
    return f && (s.has(f->head, f->open, "__global__") ||
                 (s.has(f->head, f->open, "__device__") && !s.has(f->head, f->open, "__host__")));
}

static void replaceAll(std::string& s, const std::string& from, const std::string& to) {
    for (size_t k = 0; (k = s.find(from, k)) != std::string::npos; k += to.size()) s.replace(k, from.size(), to);
}

void rewriteArchitecture(Source& s) {
    const std::string name = "__CUDA_ARCH__";
    for (size_t i = 0; i < s.size(); i++) {
        Token& t = s.tokens[i];
        if ((t.kind != Token::directive && t.text != name) || t.text.find(name) == std::string::npos || !onDevice(s, i))
            continue;
        replaceAll(t.text, "ifdef " + name, "if 1");
        replaceAll(t.text, "ifndef " + name, "if 0");
        for (auto defined : {"defined(" + name + ")", "defined (" + name + ")", "defined " + name})
            replaceAll(t.text, defined, "1");
        replaceAll(t.text, name, "900");
    }
}
