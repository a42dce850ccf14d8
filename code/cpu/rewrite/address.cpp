// address.cpp: (void*)kernel を ::cpu::kernelAddress(kernel, "kernel") に。
// void* にすると引数の型が消えて、起動できなくなる。だから、消える前に覚えておく (kernel.cpp)。
// 名前が 1 つだけの式なら、カーネルでなくても、包んで意味は変わらない。
#include "rewrite.h"

// (void*) か (const void*) か reinterpret_cast<void*> の、最後の字句。違えば i
static size_t castEnd(const Source& s, size_t i) {
    static const Pattern casts[] = {"( .. void * )", "reinterpret_cast < .. void * >"};
    for (auto& cast : casts) {
        const auto at = s.match(i, cast);
        if (!at.empty()) return at[cast.items.size() - 1];
    }
    return i;
}
// 名前 (ns::kernel<256, T>) の、最後の字句。名前でなければ i
static size_t nameEnd(const Source& s, size_t i) {
    for (size_t k = i; s.word(k);) {
        const size_t after = s.next(k), last = s[after] == "<" ? s.close(after) : k;
        if (s[s.next(last)] != "::") return last;
        k = s.next(s.next(last));
    }
    return i;
}
// cudaMalloc((void**)&d, bytes) を cudaMalloc(&d, bytes) に: 報告で「何番目」と言う要素の型を、d から知る
static void dropCast(Source& s, size_t call) {
#define ALLOCATES "cudaMalloc|cudaMallocManaged|cudaMallocHost|cudaHostAlloc|cudaMallocPitch|cudaMallocAsync ( "
    static const Pattern plain = ALLOCATES "( void * * ) &", named = ALLOCATES "reinterpret_cast < void * * > ( &";
    const auto p = s.match(call, plain), n = s.match(call, named);
    if (!p.empty()) s.replace(p[2], p[7], "");
    if (n.empty()) return;
    s.replace(s.close(n[8]), s.close(n[8]) + 1, "");
    s.replace(n[2], n[9], "");
}
void rewriteAddresses(Source& s) {
    for (size_t i = 0; i < s.size(); i++) {
        dropCast(s, i);
        if (s.tokens[i].inDefine || (s[i] != "(" && s[i] != "reinterpret_cast")) continue;
        const size_t cast = castEnd(s, i), left = s.previous(i);
        if (cast == i) continue;
        // f(void*) のような引数の並びは、型を変える式ではない
        if ((s.word(left) && s[left] != "return") || s[left] == ")" || s[left] == "]" || s[left] == ">") continue;
        const bool named = s[i] == "reinterpret_cast";  // 後ろに ( ) がある
        const size_t begin = named ? s.next(s.next(cast)) : s.next(cast),
                     name = s[begin] == "&" ? s.next(begin) : begin;
        if (!s.word(name)) continue;
        const size_t end = nameEnd(s, name), next = s.next(end);
        if (named ? s[next] != ")" : s[next] != "," && s[next] != ")" && s[next] != ";" && s[next] != "}") continue;
        const std::string given = s.text(begin, end + 1), kernel = s.text(name, end + 1);
        s.replace(i, (named ? next : end) + 1, "::cpu::kernelAddress(" + given + ", \"" + kernel + "\")");
    }
}
