// coroutines.cpp: 待つ関数を、C++20 のコルーチンにする (cpu/coroutine.h)。
//   __device__ float fold(float v) { … return v; }
//     →  __device__ ::cpu::Waiting<float> fold(float v) { … co_return v; }
//   v = fold(v);  →  v = (co_await fold(v));
// 待つ関数とは、待つ命令 (__syncthreads() など) か、待つ関数を呼ぶ関数である。
// 名前で決めるので、同じ名前のものは、どれも待つ関数になる。
// 待つ命令はマクロで、自分で co_await を付ける。
#include <cstring>
#include <set>

#include "rewrite.h"

using Names = std::set<std::string>;
static Names waiting;  // 待つ関数の名前。取り込んだヘッダのものも
static Names macros;   // 待つ命令を含むマクロの名前

struct Function {
    size_t name;                // なければ size()
    size_t typeBegin, typeEnd;  // 戻り値の型の、初めの字句と、終わりの次の字句。なければ等しい
    size_t open, close;         // 本体の { と }。宣言だけなら、どちらも ;
    const Scope* scope;         // 宣言だけなら nullptr
    bool waits = false;
};

static bool isInstruction(const std::string& t) {
    const std::string end = "_sync";
    return t.compare(0, 6, "__sync") == 0 || t == "__nanosleep" || t == "__activemask" ||
           t.compare(0, 9, "CPU_RACE(") == 0 ||
           (t.compare(0, 2, "__") == 0 && t.size() > end.size() &&
            t.compare(t.size() - end.size(), end.size(), end) == 0);
}
static bool isMember(const Source& s, size_t i) {
    const size_t p = s.previous(i);
    return p < s.size() && (s[p] == "." || s[p] == "->");
}
// 協調グループ: block.sync(), tile.shfl(v, 0), cg::reduce(tile, v, op)
static bool isGroup(const Source& s, size_t i) {
    static const Names members = {"sync", "barrier_wait", "shfl", "shfl_up",   "shfl_down", "shfl_xor",
                                  "any",  "ballot",       "all",  "match_any", "match_all"};
    static const Names functions = {"sync",
                                    "wait",
                                    "wait_prior",
                                    "coalesced_threads",
                                    "labeled_partition",
                                    "binary_partition",
                                    "invoke_one_broadcast",
                                    "reduce",
                                    "reduce_update_async",
                                    "reduce_store_async",
                                    "inclusive_scan",
                                    "exclusive_scan",
                                    "inclusive_scan_update",
                                    "exclusive_scan_update"};
    const size_t p = s.previous(i);
    if (isMember(s, i)) return members.count(s[i]) > 0;
    return functions.count(s[i]) && p < s.size() && s[p] == "::";
}
static size_t afterAngles(const Source& s, size_t i) {  // < の相手の次
    int depth = 0;
    for (; i < s.size() && s[i] != ";" && s[i] != "{"; i = s.next(i)) {
        depth += (s[i] == "<") - (s[i] == ">");
        if (depth == 0) return s.next(i);
    }
    return s.size();
}
static size_t argumentsOf(const Source& s, size_t i) {  // 待つ呼び出しの (。そうでなければ size()
    if (s.tokens[i].kind != Token::word || (!waiting.count(s[i]) && !isGroup(s, i))) return s.size();
    size_t open = s.next(i);
    if (open < s.size() && s[open] == "<") open = afterAngles(s, open);
    return open < s.size() && s[open] == "(" ? open : s.size();
}
static size_t expressionBegin(const Source& s,
                              size_t i) {  // cg::tiled_partition<32>(block).sync から、初めの cg まで戻る
    for (;;) {
        size_t p = s.previous(i);
        if (p == s.size() || (s[p] != "::" && s[p] != "." && s[p] != "->")) return i;
        i = p;
        p = s.previous(p);
        const bool scope = s[i] == "::";
        while (p != s.size() && !scope && (s[p] == ")" || s[p] == "]")) i = s.open(p), p = s.previous(i);
        if (p != s.size() && s[p] == ">") i = s.open(p), p = s.previous(i);
        if (p != s.size() && s.tokens[p].kind == Token::word && s[p] != "return") i = p;
    }
}

// ---------------------------------------------------------------- 関数を見つける
// 頭 (static __device__ float fold(float v) -> float) から、名前と型を読む。関数でなければ false
static bool readHead(const Source& s, size_t head, Function& f) {
    static const Names notTypes = {"static", "inline", "constexpr", "extern", "virtual", "explicit", "friend"};
    static const Names attributes = {"__launch_bounds__", "__attribute__", "alignas", "__align__"};
    bool typed = false;
    size_t i = head;
    for (; i < f.open && s[i] != "("; i = s.next(i)) {
        if (s[i] == "template") i = afterAngles(s, s.next(i));
        if (s[i] == "=" || s[i] == "operator") return false;
        if (attributes.count(s[i])) {
            i = s.close(s.next(i));
            continue;
        }
        if (s.tokens[i].kind == Token::word && (notTypes.count(s[i]) || s[i].compare(0, 2, "__") == 0)) continue;
        if (!typed) f.typeBegin = i, typed = true;
        else if (s.tokens[i].kind == Token::word) f.name = i;
        if (s[i] == "<") {
            const size_t after = afterAngles(s, i);
            if (after >= f.open) return false;
            i = s.previous(after);
        }
    }
    if (i >= f.open || f.name == s.size()) return false;
    f.typeEnd = s.previous(f.name) + 1;
    return true;
}
static void readTrailing(const Source& s, size_t from, Function& f) {  // 引数の後ろの -> 型
    int depth = 0;
    for (size_t i = from; i < f.open; i++) {
        if (s[i] == "(" || s[i] == "[") depth++;
        if (s[i] == ")" || s[i] == "]") depth--;
        if (depth == 0 && s[i] == "->") f.typeBegin = s.next(i), f.typeEnd = s.previous(f.open) + 1;
    }
}
static bool onDevice(const Source& s, size_t from, size_t to) {
    return s.has(from, to, "__device__") || s.has(from, to, "__global__");
}
static std::vector<Function> functionsOf(const Source& s) {
    std::vector<Function> all;
    for (auto& scope : s.scopes) {
        Function f{s.size(), 0, 0, scope.open, scope.close, &scope};
        if (scope.kind == Scope::function && onDevice(s, scope.head, scope.open)) {
            if (!readHead(s, scope.head, f)) continue;
            readTrailing(s, f.name, f);
        } else if (scope.kind == Scope::lambda) {  // auto fold = [&](float v) -> float {
            const Scope* outer = s.function(scope.head);
            while (outer && outer->kind == Scope::lambda) outer = s.function(outer->head);
            if (!outer || !onDevice(s, outer->head, outer->open)) continue;
            size_t bracket = s.previous(scope.open);
            while (bracket != s.size() && bracket > scope.head && s[bracket] != "]")
                bracket = s[bracket] == ")" ? s.previous(s.open(bracket)) : s.previous(bracket);
            if (bracket == s.size()) continue;
            const size_t equal = s.previous(s.open(bracket));
            if (equal != s.size() && s[equal] == "=") f.name = s.previous(equal);
            f.typeBegin = f.typeEnd = s.previous(scope.open) + 1;
            readTrailing(s, bracket + 1, f);
        } else continue;
        all.push_back(f);
    }
    for (size_t i = 0; i < s.size(); i++) {  // 宣言だけのもの
        const auto kind = s.scopes[s.tokens[i].scope].kind;
        if (s[i] != ";" || kind == Scope::function || kind == Scope::lambda || kind == Scope::block) continue;
        Function f{s.size(), 0, 0, i, i, nullptr};
        const size_t head = s.tokens[i].statement;
        if (onDevice(s, head, i) && readHead(s, head, f)) readTrailing(s, f.name, f), all.push_back(f);
    }
    return all;
}

// ---------------------------------------------------------------- 書き換える
static void makeCoroutine(Source& s, const Function& f, std::vector<std::string>& before,
                          std::vector<std::string>& after) {
    bool value = false;
    for (size_t i = f.open; i < f.close; i++) {
        if (s.function(i) != f.scope || s.skipped(i)) continue;
        if (s.tokens[i].kind == Token::word && s[i].compare(0, 6, "return") == 0 &&
            (s[i].size() == 6 || s[i][6] == ' ')) {
            value |= s[i].size() > 6 || s[s.next(i)] != ";";
            before[i] += "co_";
        }
        const size_t open = argumentsOf(s, i);
        if (open == s.size()) continue;
        before[expressionBegin(s, i)] += "(co_await ";
        after[s.close(open)] += ")";
    }
    const bool none = f.typeBegin == f.typeEnd, deduced = none || s.text(f.typeBegin, f.typeEnd) == "auto";
    if (deduced && value) s.fail(f.open, "待つラムダ式と auto の関数には、戻り値の型を -> 型 と書く");
    if (none) after[f.typeEnd - 1] += " -> ::cpu::Waiting<void>";
    else if (deduced) s.tokens[f.typeBegin].text = "::cpu::Waiting<void>";
    else before[f.typeBegin] += "::cpu::Waiting<", after[f.typeEnd - 1] += ">";
    if (f.scope && !value) before[f.close] += "co_return; ";
}

void rewriteWaiting(Source& s) {
    for (size_t i = 0; i < s.size(); i++) {
        if (!s.tokens[i].inDefine || (!isInstruction(s[i]) && !macros.count(s[i]))) continue;
        size_t define = i;  // #define SYNC __syncthreads()
        while (s.tokens[define].kind != Token::directive) define--;
        const size_t name = s[define].find_first_not_of(" \t", s[define].find("define") + 6);
        macros.insert(s[define].substr(name, s[define].find_first_of("( \t\n", name) - name));
    }
    std::vector<Function> functions = functionsOf(s);
    for (bool changed = true; changed;) {
        changed = false;
        for (auto& f : functions) {
            if (f.waits) continue;
            const bool named = f.name != s.size();
            f.waits = named && waiting.count(s[f.name]);
            for (size_t i = f.open; i < f.close && !f.waits; i++)
                f.waits = s.function(i) == f.scope && s.tokens[i].kind == Token::word &&
                          (isInstruction(s[i]) || macros.count(s[i]) || argumentsOf(s, i) != s.size());
            changed |= f.waits;
            if (f.waits && named) waiting.insert(s[f.name]);
        }
    }
    std::vector<std::string> before(s.size()), after(s.size());
    for (auto& f : functions)
        if (f.waits) makeCoroutine(s, f, before, after);
    for (size_t i = 0; i < s.size(); i++) s.tokens[i].text = before[i] + s[i] + after[i];
}
