// address.cpp: (void*)kernel を ::cpu::kernelAddress(kernel, "kernel") に。
// void* にすると引数の型が消えて、起動できなくなる。だから、消える前に覚えておく (kernel.cpp)。
// 名前が 1 つだけの式なら、カーネルでなくても、包んで意味は変わらない。
#include "rewrite.h"

// (void*) か (const void*) か reinterpret_cast<void*> の、最後の字句。違えば i
static size_t castEnd(const Source& s, size_t i) {
    const bool named = s[i] == "reinterpret_cast";
    size_t k = named ? s.next(i) : i;
    if (k == s.size() || s[k] != (named ? "<" : "(")) return i;
    k = s.next(k);
    if (k < s.size() && s[k] == "const") k = s.next(k);
    if (k >= s.size() || s[k] != "void") return i;
    k = s.next(k);
    if (k >= s.size() || s[k] != "*") return i;
    k = s.next(k);
    return k < s.size() && s[k] == (named ? ">" : ")") ? k : i;
}
// 名前 (ns::kernel<256, T>) の、最後の字句。名前でなければ i
static size_t nameEnd(const Source& s, size_t i) {
    size_t k = i, last = i;
    if (s.tokens[k].kind != Token::word) return i;
    for (;;) {
        last = k;
        k = s.next(k);
        if (k < s.size() && s[k] == "<") {
            int depth = 0;
            for (; k < s.size() && s[k] != ";" && s[k] != "{"; k++) {
                for (char c : s.tokens[k].kind == Token::symbol ? s[k] : "") depth += (c == '<') - (c == '>');
                if (depth <= 0) break;
            }
            if (k >= s.size() || depth != 0) return i;
            last = k;
            k = s.next(k);
        }
        if (k + 1 >= s.size() || s[k] != ":") return last;
        while (k < s.size() && s[k] == ":") k = s.next(k);
        if (k >= s.size() || s.tokens[k].kind != Token::word) return i;
    }
}
void rewriteAddresses(Source& s) {
    for (size_t i = 0; i < s.size(); i++) {
        const Token& t = s.tokens[i];
        if (t.kind == Token::directive || t.inDefine || (s[i] != "(" && s[i] != "reinterpret_cast")) continue;
        const size_t cast = castEnd(s, i), before = s.previous(i);
        if (cast == i) continue;
        // f(void*) のような引数の並びは、型を変える式ではない
        const bool word = before < s.size() && s.tokens[before].kind == Token::word && s[before] != "return";
        if (before < s.size() && (word || s[before] == ")" || s[before] == "]" || s[before] == ">")) continue;
        size_t name = s.next(cast), wrap = s.size();
        if (s[i] == "reinterpret_cast") wrap = name, name = s.next(name);
        if (name < s.size() && s[name] == "&") name = s.next(name);
        if (name >= s.size() || s.tokens[name].kind != Token::word) continue;
        const size_t end = nameEnd(s, name), after = s.next(end);
        if (after >= s.size() || (s[after] != "," && s[after] != ")" && s[after] != ";" && s[after] != "}")) continue;
        if (wrap != s.size() && s[after] != ")") continue;
        const std::string kernel = s.text(name, end + 1);
        s.replace(i, (wrap != s.size() ? after : end) + 1,
                  "::cpu::kernelAddress(" + s.text(wrap != s.size() ? s.next(wrap) : s.next(cast), end + 1) + ", \"" +
                      kernel + "\")");
    }
}
