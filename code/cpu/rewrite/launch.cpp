// launch.cpp: カーネルの起動。
//   kernel<<<grid, block>>>(in, out)
//     →  ::cpu::launch(場所, "kernel", "in, out", [=](auto... a) { kernel(a...); }, grid, block)(in, out)
// 引数に {1, 2} があれば、型を引数から決められないので、関数のポインタの型から決める launchTyped にする。
#include <algorithm>

#include "rewrite.h"

// <<< の前にある、起動するものの最初の字句。ns::kernel<256, T>、table[k]、s.f、(*p)、f(x) の形を受け付ける
static size_t kernelStart(const Source& s, size_t launch) {
    static const std::set<std::string> notNames = {"return", "else", "do", "case", "if", "while", "for", "switch"};
    static const std::set<std::string> joins = {"::", ".", "->", "template"}, closes = {")", "]", ">"};
    size_t start = launch;
    for (size_t k; (k = s.previous(start)) < s.size(); start = k) {
        const bool name = s.word(k) && !notNames.count(s[k]);
        if (s.word(start) ? !joins.count(s[k]) : !name && !closes.count(s[k])) break;
        if (closes.count(s[k])) k = s.open(k);
    }
    if (start >= launch || (s[start] != "(" && s[start] != "::" && !s.word(start)))
        s.fail(launch, "<<< の前にカーネルの名前がない");
    return start;
}

// 起動より前に、同じ関数で auto name = [ と決めたラムダの [。なければ launch
static size_t lambdaOf(const Source& s, size_t launch, const std::string& name) {
    static const Pattern lambda = "auto W = [";
    for (size_t i = s.named(launch) ? s.named(launch)->open : launch; i < launch; i++)
        if (const auto at = s.match(i, lambda); !at.empty() && s[at[1]] == name) return at[3];
    return launch;
}

// #define LAUNCH(kernel, …) の引数の名前か
static bool isParameter(const Source& s, size_t i) {
    size_t define = i;
    while (s.tokens[i].inDefine && s.tokens[define].kind != Token::directive) define--;
    const Source list("", s[define].substr(std::min(s[define].find('('), s[define].size())));
    return s.tokens[i].inDefine && list.has(0, list.size(), s[i]);
}

void rewriteLaunches(Source& s) {
    for (size_t i = 0; i < s.size(); i++) {
        if (s[i] != "<<<" || s[s.previous(i)] == "operator") continue;
        const size_t name = kernelStart(s, i), same = lambdaOf(s, i, s[name]);
        if (same < i) s.fail(same, "ラムダはカーネルにできない: __global__ の関数を外に書いて起動する");
        const bool spaced = s[s.next(i)].empty();  // << < は、> >> と閉じる
        size_t end = s.next(i);                    // >>> の、最後の >
        for (;; end = s.next(end)) {
            const size_t group = end;
            if (s[end] == "(" || s[end] == "[" || s[end] == "{") end = s.close(end);
            if (s[group] == "(" && s[end] != ")") s.fail(group, "( の相手がない: 括弧の対応を確かめる");
            if (end >= s.size() || s[end] == ";" || s[s.next(i)].find_first_of("<>") == 0)
                s.fail(i, "<<< と >>> が合わない: <<<ブロックの数, スレッドの数>>> と書く");
            const size_t second = s.previous(end);
            if (s[end] != ">" || s[second] != ">" || s[s.previous(second)] != ">" || s[s.next(end)] == ">") continue;
            if (spaced || s[end - 2] == ">") break;
        }
        const size_t open = s.next(end);
        const bool listed = s[open] == "(";
        if (s[open] == ";" || s[open] == "," || islower(s[open][0])) s.fail(i, ">>> の後ろに、引数の ( ) がない");
        bool typed = false;
        for (auto& a : listed ? s.declarators(open + 1, s.close(open)) : std::vector<Declarator>()) {
            const std::string& first = s[a.begin];
            const bool alone = s.next(a.begin) >= a.end;
            const size_t lambda = first == "[" ? a.begin : alone ? lambdaOf(s, i, first) : i;
            typed = typed || first == "{";
            if (lambda != i && s[s.next(s.close(lambda))].compare(0, 2, "__"))
                s.fail(lambda, "カーネルに渡すラムダには __device__ を付ける: [=] __device__ (int i) { … }");
            if (lambda != i && s[s.next(lambda)] == "&")
                s.fail(lambda, "カーネルに渡すラムダは、参照で捕まえられない: ホストの変数は見えない。[=] と書く");
            if (first == "NULL" && alone) s.tokens[a.begin].text = "nullptr";
        }
        const std::string kernel = s.text(name, i);
        const std::string arguments = listed ? s.text(s.next(open), s.close(open)) : "";
        const std::string shown = name == s.previous(i) && isParameter(s, name) ? "#" + kernel : quoted(kernel);
        s.replace(s.previous(s.previous(end)), end + 1, ")");
        const size_t last = s.previous(i);
        // f(x) や table[k] は、起動する前に、1 度だけ求める
        const bool value = (s[last] == ")" || s[last] == "]") && s.open(last) > name;
        const std::string head = value ? "[cpu_kernel = " + kernel + "]" : "[=]",
                          called = value ? "cpu_kernel" : kernel;
        const std::string call =
            typed ? kernel : head + "(auto... cpu_args) CPU_PLAIN { return " + called + "(cpu_args...); }";
        s.replace(name, i + 1,
                  (typed ? "::cpu::launchTyped(CPU_SITE, " : "::cpu::launch(CPU_SITE, ") + shown + ", " +
                      quoted(arguments) + ", " + call + ", ");
    }
}
