// coroutines.cpp: 待つ関数を、C++20 のコルーチンにする (cpu/coroutine.h)。
//   __device__ float fold(float v) { … return v; }
//     →  __device__ ::cpu::Waiting<float> fold(float v) { … co_return v; }
//   v = fold(v);  →  v = (co_await fold(v));
// 待つ関数とは、__syncthreads() のような待つ命令か、待つ関数を呼ぶ関数である。名前で決めるので、同じ名前のものはどれも待つ。
// __syncthreads() のような命令はマクロで、自分で co_await を付ける。行の番号は変わらない。
#include "coroutines.h"

#include <cctype>
#include <cstring>
#include <map>
#include <set>

namespace {
using Names = std::set<std::string>;

struct Function {
    std::string name;
    size_t typeBegin, typeEnd;  // 戻り値の型の、初めの字句と、終わりの次の字句
    size_t begin, end;  // 本体の { と }。宣言だけなら、どちらも ;
    bool lambda, waits = false;
    int outer = -1;  // この関数を囲む関数
};

std::vector<std::string>* all;
Fail refuse;
std::vector<Function> functions;
std::vector<int> owner;  // 字句が、どの関数の本体にあるか (いちばん内側のもの)。なければ -1
Names waiting;  // 待つ関数の名前
Names macros;  // 待つ命令を含むマクロの名前

const std::string& at(size_t i) {
    static const std::string nothing = " ";
    return i < all->size() ? (*all)[i] : nothing;
}
bool isBlank(size_t i) {
    const std::string& t = at(i);
    return std::isspace((unsigned char)t[0]) || t.compare(0, 2, "//") == 0 || t.compare(0, 2, "/*") == 0;
}
bool isWord(size_t i) { return std::isalpha((unsigned char)at(i)[0]) || at(i)[0] == '_'; }
bool isOneOf(size_t i, const char* characters) { return at(i).size() == 1 && strchr(characters, at(i)[0]); }
size_t next(size_t i) {
    do i++;
    while (i < all->size() && isBlank(i));
    return i;
}
size_t previous(size_t i) {
    while (i > 0 && isBlank(--i)) {
    }
    return i;
}
size_t closing(size_t i) {  // 開き括弧 i の相手
    const std::string open = at(i), close = open == "(" ? ")" : open == "{" ? "}" : open == "[" ? "]" : ">";
    int depth = 0;
    for (; i < all->size(); i++) {
        depth += (at(i) == open) - (at(i) == close);
        if (depth == 0 || (close == ">" && isOneOf(i, ";{"))) break;
    }
    return i;
}
size_t opening(size_t i) {  // 閉じ括弧 i の相手
    const std::string close = at(i), open = close == ")" ? "(" : close == "]" ? "[" : "<";
    int depth = 0;
    for (;; i--) {
        depth += (at(i) == close) - (at(i) == open);
        if (depth == 0 || i == 0) return i;
    }
}

// ---------------------------------------------------------------- 関数を見つける
bool isSpecifier(size_t i) {
    static const Names names = {"static", "inline",          "constexpr",    "extern",     "virtual",  "explicit",
                                "friend", "__forceinline__", "__noinline__", "__device__", "__host__", "__global__"};
    return names.count(at(i)) > 0;
}
// 引数の ) の後ろ: const など、-> 型、本体。本体も ; もなければ false
bool readRest(size_t close, Function& f) {
    size_t i = next(close);
    while (at(i) == "const" || at(i) == "noexcept" || at(i) == "override" || at(i) == "final" || at(i) == "mutable")
        i = next(i);
    if (at(i) == "-" && at(i + 1) == ">") {
        f.typeBegin = next(i + 1);
        for (i = f.typeBegin; i < all->size() && !isOneOf(i, ";{"); i = at(i) == "<" ? next(closing(i)) : next(i))
            f.typeEnd = i + 1;
        f.typeEnd = previous(i) + 1;
    }
    f.begin = i;
    f.end = at(i) == "{" ? closing(i) : i;
    return at(i) == "{" || (at(i) == ";" && !f.lambda);
}
size_t findFunction(size_t mark) {  // __device__ か __global__ から。読み終えた字句を返す
    size_t type = 0, name = 0, i = mark;
    for (; i < all->size() && !isOneOf(i, "=;{}[("); i = next(i)) {
        if (at(i) == "__launch_bounds__" || at(i) == "__attribute__" || at(i) == "alignas" || at(i) == "__align__")
            i = closing(next(i));
        else if (!isSpecifier(i)) {
            if (!type) type = i;
            if (isWord(i)) name = i;
            if (at(i) == "<") i = closing(i);
        }
    }
    if (at(i) != "(" || !name || name == type) return mark;
    Function f{at(name), type, previous(name) + 1, 0, 0, false};
    return readRest(closing(i), f) ? functions.push_back(f), f.begin : mark;
}
void findLambda(size_t bracket) {  // [&](float v) { … }
    const size_t before = previous(bracket), after = closing(bracket);
    if (isWord(before) ? at(before) != "return" : isOneOf(before, ")]")) return;  // 添字
    size_t i = next(after);
    Function f{"", 0, 0, 0, 0, true};
    if (at(before) == "=" && isWord(previous(before))) f.name = at(previous(before));
    if (at(i) == "(") i = closing(i);
    else i = after;
    f.typeBegin = f.typeEnd = i + 1;
    if (readRest(i, f)) functions.push_back(f);
}
void findMacros() {  // #define SYNC __syncthreads()
    for (size_t i = 0; i < all->size(); i++) {
        if (at(i) != "#" || at(next(i)) != "define") continue;
        const size_t name = next(next(i));
        for (i = name + 1; i < all->size() && (at(i).find('\n') == std::string::npos || at(i - 1) == "\\"); i++)
            if (at(i).compare(0, 6, "__sync") == 0 || macros.count(at(i))) macros.insert(at(name));
    }
}

// ---------------------------------------------------------------- 待つ呼び出し
bool isInstruction(const std::string& t) {  // マクロが、自分で co_await を付ける
    auto ends = [&](const char* s) {
        return t.size() > strlen(s) && t.compare(t.size() - strlen(s), strlen(s), s) == 0;
    };
    return t.compare(0, 2, "__") == 0 && (t.compare(2, 4, "sync") == 0 || ends("_sync") || t == "__nanosleep");
}
bool isMember(size_t i) { return at(previous(i)) == "." || (at(previous(i)) == ">" && at(previous(i) - 1) == "-"); }
bool isGroup(size_t i) {  // 協調グループの block.sync(), tile.shfl(v, 0), cg::reduce(tile, v, op)
    static const Names members = {"sync", "shfl", "shfl_up", "shfl_down", "shfl_xor", "ballot", "any", "all"};
    if (isMember(i)) return members.count(at(i)) > 0;
    return (at(i) == "sync" || at(i) == "reduce") && at(previous(i)) == ":" && at(previous(i) - 1) == ":";
}
bool isCall(size_t i) { return isWord(i) && (waiting.count(at(i)) || isGroup(i)); }
size_t argumentsOf(size_t i) {  // 呼び出しの (。呼び出しでなければ 0
    size_t open = next(i);
    if (at(open) == "<") open = next(closing(open));
    return at(open) == "(" ? open : 0;
}
size_t expressionBegin(size_t i) {  // cg::tiled_partition<32>(block).sync の i = sync から、初めの cg まで戻る
    for (;;) {
        const size_t p = previous(i);
        if (at(p) == ":" && at(p - 1) == ":") {
            i = p - 1;
            const size_t q = previous(i);
            if (at(q) == ">") i = previous(opening(q));
            else if (isWord(q) && at(q) != "return") i = q;
        } else if (isMember(i)) {
            i = previous(at(p) == "." ? p : p - 1);
            while (isOneOf(i, ")]")) i = previous(opening(i));
            if (at(i) == ">") i = previous(opening(i));
        } else return i;
    }
}

// ---------------------------------------------------------------- 書き換える
std::map<size_t, std::string> before, after;  // 字句の前と後ろに足すもの

void wrapCalls(size_t from, size_t to, int function) {
    for (size_t i = from; i < to; i++) {
        if (owner[i] != function || !isCall(i)) continue;
        const size_t open = argumentsOf(i);
        if (!open) continue;
        before[expressionBegin(i)] += "(co_await ";
        after[closing(open)] += ")";
    }
}
void makeCoroutine(const Function& f, int number) {
    bool value = false;
    for (size_t i = f.begin; i < f.end; i++) {
        if (owner[i] != number || at(i) != "return") continue;
        value |= at(next(i)) != ";";
        (*all)[i] = "co_return";
    }
    const bool deduced = f.typeBegin == f.typeEnd || (at(f.typeBegin) == "auto" && f.typeEnd == f.typeBegin + 1);
    if (deduced && value) refuse(f.begin, "待つラムダ式と auto の関数には、戻り値の型を -> 型 と書く");
    if (f.typeBegin == f.typeEnd) after[f.typeBegin - 1] += " -> ::cpu::Waiting<void> ";
    else if (deduced) (*all)[f.typeBegin] = "::cpu::Waiting<void>";
    else before[f.typeBegin] = "::cpu::Waiting<" + before[f.typeBegin], after[f.typeEnd - 1] += ">";
    if (f.begin == f.end) return;
    wrapCalls(f.begin, f.end, number);
    if (!value) before[f.end] += "co_return; ";
}
}  // namespace

void makeCoroutines(std::vector<std::string>& tokens, Fail fail) {
    all = &tokens;
    refuse = fail;
    for (size_t i = 0; i < tokens.size(); i++) {
        if (at(i) == "#" && at(next(i)) == "define")
            while (i + 1 < tokens.size() && (at(i + 1).find('\n') == std::string::npos || at(i) == "\\")) i++;
        else if (at(i) == "__device__" || at(i) == "__global__") i = findFunction(i);
        else if (at(i) == "[") findLambda(i);
    }
    findMacros();
    owner.assign(tokens.size(), -1);
    for (size_t k = 0; k < functions.size(); k++) {  // 内側の関数は、後から見つかる
        functions[k].outer = owner[functions[k].begin];
        for (size_t i = functions[k].begin; i < functions[k].end; i++) owner[i] = int(k);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < functions.size(); k++) {
            Function& f = functions[k];
            if (f.waits || (f.lambda && f.outer < 0)) continue;  // ホストのラムダ式は待たない
            f.waits = !f.name.empty() && waiting.count(f.name);
            for (size_t i = f.begin; i < f.end && !f.waits; i++)
                f.waits = owner[i] == int(k) &&
                          (isInstruction(at(i)) || macros.count(at(i)) || (isCall(i) && argumentsOf(i)));
            changed |= f.waits;
            if (f.waits && !f.name.empty()) waiting.insert(f.name);
        }
    }
    for (size_t k = 0; k < functions.size(); k++)
        if (functions[k].waits) makeCoroutine(functions[k], int(k));

    std::vector<std::string> result;
    for (size_t i = 0; i < tokens.size(); i++) {
        if (before.count(i)) result.push_back(before[i]);
        result.push_back(tokens[i]);
        if (after.count(i)) result.push_back(after[i]);
    }
    tokens = result;
}
