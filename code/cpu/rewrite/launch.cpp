// launch.cpp: カーネルの起動。
//   kernel<<<grid, block>>>(in, out)
//     →  ::cpu::launch(場所, "kernel", "in, out", [=](auto... a) { kernel(a...); }, grid, block)(in, out)
// 引数に {1, 2} があれば、型を引数から決められないので、関数のポインタの型から決める launchTyped にする。
#include <set>

#include "rewrite.h"

// <<< の前にある、起動するものの最初の字句。ns::kernel<256, T>、table[k]、s.f、(*p)、f(x) の形を受け付ける
static size_t kernelStart(const Source& s, size_t launch) {
    static const std::set<std::string> notNames = {"return", "else", "do", "case", "if", "while", "for", "switch"};
    const auto isName = [&](size_t i) {
        return i < s.size() && s.tokens[i].kind == Token::word && !notNames.count(s[i]);
    };
    const auto need = [&](size_t i) {
        if (i >= s.size()) s.fail(launch, "<<< の前にカーネルの名前がない");
        return i;
    };
    size_t j = need(s.previous(launch));
    for (;;) {
        // 1 つの部分: 名前、名前<…>、(式)、どれかの後の […] や (…)
        while (s[j] == "]") j = need(s.previous(need(s.open(j))));
        if (s[j] == ">") {
            j = need(s.previous(need(s.open(j))));
            if (!isName(j)) need(s.size());
        } else if (s[j] == ")") {
            j = need(s.open(j));
            const size_t before = s.previous(j);
            if (before < s.size() && (s[before] == ">" || s[before] == "]" || isName(before))) {
                j = before;  // f(x)
                continue;
            }
        } else if (!isName(j)) need(s.size());
        // その前の :: や . や ->
        size_t before = s.previous(j);
        if (before < s.size() && s[before] == "template") before = s.previous(before);
        if (before >= s.size() || (s[before] != "::" && s[before] != "." && s[before] != "->")) return j;
        const size_t left = s.previous(before);
        const bool more = left < s.size() && (isName(left) || s[left] == ">" || s[left] == "]" || s[left] == ")");
        if (s[before] == "::" && (!more || s[left] == ")" || s[left] == "]")) return before;  // ::kernel
        j = need(more ? left : s.size());
    }
}

// #define LAUNCH(kernel, …) の引数の名前か
static bool isParameter(const Source& s, size_t i) {
    if (!s.tokens[i].inDefine) return false;
    size_t define = i;
    while (s.tokens[define].kind != Token::directive) define--;
    const std::string& text = s[define];
    size_t k = text.find('(');
    while (k != std::string::npos && k + 1 < text.size()) {
        const size_t end = text.find_first_of(",)", ++k);
        size_t a = text.find_first_not_of(" \t", k), b = end;
        while (b > a && (text[b - 1] == ' ' || text[b - 1] == '\t')) b--;
        if (text.compare(a, b - a, s[i]) == 0) return true;
        k = end;
    }
    return false;
}

// 整形の道具が分けた k << <g, b >> >(x) を、続けて書いたものにする
void joinLaunches(Source& s) {
    const auto symbol = [&](size_t i, const char* text) {
        s.tokens[i].kind = *text ? Token::symbol : Token::blank;
        s.tokens[i].text = text;
    };
    for (size_t i = 0; i < s.size(); i++) {
        const size_t open = s.next(i);
        if (s[i] != "<<" || open == i + 1 || open >= s.size() || s[open] != "<") continue;
        for (size_t c = open; c < s.size() && s[c] != ";"; c = s.next(c)) {
            if (s[c] == "(") c = s.close(c);
            const size_t b = s.previous(c), a = s.previous(b);
            if (c >= s.size() || s[c] != ">" || s[b] != ">" || s[a] != ">" || s[s.next(c)] != "(") continue;
            for (size_t k = a; k < c; k++) symbol(k, "");
            symbol(c - 2, ">"), symbol(c - 1, ">"), symbol(open, ""), symbol(i, "<<<");
            break;
        }
    }
}

void rewriteLaunches(Source& s) {
    for (size_t i = 0; i < s.size(); i++) {
        if (s.tokens[i].kind != Token::symbol || s[i] != "<<<") continue;
        if (s.previous(i) < s.size() && s[s.previous(i)] == "operator") continue;
        const size_t name = kernelStart(s, i);
        size_t end = i + 1;  // >>> の、最後の >
        for (;; end++) {
            if (end < s.size() && (s[end] == "(" || s[end] == "[" || s[end] == "{")) end = s.close(end);
            if (end >= s.size() || s[end] == ";") s.fail(i, "<<< に対応する >>> がない");
            const bool more = end + 1 < s.size() && s[end + 1] == ">";
            if (s[end] == ">" && s[end - 1] == ">" && s[end - 2] == ">" && !more) break;
        }
        const size_t open = s.next(end);
        const bool listed = open < s.size() && s[open] == "(";
        bool typed = false;
        if (open < s.size() && s[open] == ";") s.fail(i, ">>> の後ろに、カーネルの引数の ( ) がない");
        if (listed)
            for (size_t k = s.next(open), argument = true; k < s.close(open); k = s.next(k)) {
                const size_t after = s.next(k);
                if (argument && s[k] == "{") typed = true;
                if (argument && s[k] == "[" && s[s.next(s.close(k))] != "__device__" &&
                    s[s.next(s.close(k))] != "__host__")
                    s.fail(k, "カーネルに渡すラムダには __device__ を付ける: [=] __device__ (int i) { … }");
                if (argument && s[k] == "[" && s[s.next(k)] == "&")
                    s.fail(k,
                           "カーネルに渡すラムダは、参照で捕まえられない: GPU にはホストの変数が見えない。[=] と書く");
                if (argument && s[k] == "NULL" && (s[after] == "," || s[after] == ")")) s.tokens[k].text = "nullptr";
                argument = s[k] == ",";
                if (s[k] == "(" || s[k] == "[" || s[k] == "{") k = s.close(k);
            }
        const std::string kernel = s.text(name, i);
        const std::string arguments = listed ? s.text(s.next(open), s.close(open)) : "";
        const std::string shown = name == s.previous(i) && isParameter(s, name) ? "#" + kernel : quoted(kernel);
        s.tokens[end - 2].text = s.tokens[end - 1].text = "";
        s.tokens[end].text = ")";
        const std::string call =
            typed ? kernel : "[=](auto... cpu_args) CPU_PLAIN { return " + kernel + "(cpu_args...); }";
        s.replace(name, i + 1,
                  (typed ? "::cpu::launchTyped(CPU_SITE, " : "::cpu::launch(CPU_SITE, ") + shown + ", " +
                      quoted(arguments) + ", " + call + ", ");
    }
}
