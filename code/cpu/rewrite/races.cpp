// races.cpp: わざと誤ったリストのために、読んでから書くまでの間に、他のスレッドを割り込ませる。
//   *out += in[i];  →  CPU_RACE(*out, +, in[i]);
// WebAssembly では、1 つのスレッドを待つ所まで続けて動かすので、割り込ませないと、競合があっても合計が合う。
#include <set>

#include "rewrite.h"

static size_t leftBegin(const Source& s, size_t operation) {  // 左辺の、初めの字句
    static const std::set<std::string> heads = {"if", "while", "for"};
    size_t begin = operation;
    for (size_t i = s.previous(operation); i != s.size(); i = s.previous(i)) {
        if (s[i] == ";" || s[i] == "{" || s[i] == "}" || s[i] == "else") break;
        if (s[i] == ")" || s[i] == "]") {
            const size_t open = s.open(i), before = open == s.size() ? open : s.previous(open);
            if (before == s.size() || heads.count(s[before])) break;
            i = open;
        } else if (s[i] == "(") return s.size();  // for (…; i += 2) など
        begin = i;
    }
    return begin;
}

void rewriteRaces(Source& s) {
    static const std::set<std::string> operations = {"+", "-", "*", "/", "|", "&", "^"};
    for (size_t i = 0; i < s.size(); i++) {
        const Scope* f = s.function(i);
        if (s.tokens[i].kind != Token::symbol || !operations.count(s[i]) || !f) continue;
        if (i + 1 == s.size() || s[i + 1] != "=") continue;
        if (!s.has(f->head, f->open, "__global__")) continue;
        const size_t begin = leftBegin(s, i), end = s.statementEnd(i);
        if (begin == s.size() || end == s.size()) continue;
        s.tokens[begin].text = "CPU_RACE(" + s[begin];
        s.tokens[begin].kind = Token::word;
        s.tokens[i].text = ", " + s[i] + ",";
        s.tokens[i + 1].text = "";
        s.tokens[end].text = ");";
    }
}
