// refuse.cpp: C++ としては正しいので素通りするが、GPU では動かない書き方を断る。
#include <algorithm>

#include "rewrite.h"

// カーネルの引数は、値で渡す。参照なら、ホストのアドレスが渡る
static void refuseReferences(const Source& s, const Scope& f) {
    size_t open = f.head;
    while (open < f.open && !(s[open] == "(" && s.tokens[s.previous(open)].kind == Token::word &&
                              s[s.previous(open)].compare(0, 2, "__")))
        open = s.next(open);  // __launch_bounds__(256) の括弧ではない、名前の後の括弧
    if (open >= f.open) return;
    for (size_t k = s.next(open), angles = 0; k < s.close(open); k = s.next(k)) {
        if (s[k] == "<") angles++;
        if (s[k] == ">" && angles > 0) angles--;
        if (s[k] == "(" || s[k] == "{") k = s.close(k);
        else if (s[k] == "&" && angles == 0)
            s.fail(k,
                   "カーネルの引数は参照にできない: GPU にはホストの変数が見えない。"
                   "値で渡すか、cudaMalloc した所のポインタを渡す");
    }
}
static void refuseLibrary(const Source& s, const Scope& f) {
    static const char* const names[] = {
        "vector", "string", "map",   "set",  "unordered_map", "unordered_set", "list",     "deque",        "cout",
        "cerr",   "thread", "mutex", "sort", "unique_ptr",    "shared_ptr",    "function", "ostringstream"};
    for (size_t k = f.open; k < f.close; k = s.next(k)) {
        if (s[k] != "std" || s.next(k) >= f.close) continue;
        size_t name = s.next(k);
        while (name < f.close && s[name][0] == ':') name = s.next(name);
        if (std::find(std::begin(names), std::end(names), s[name]) != std::end(names))
            s.fail(k, "std::" + s[name] + " はカーネルの中では使えない: ホストだけの関数である");
    }
}
void refuseHostCode(const Source& s) {
    for (const Scope& f : s.scopes) {
        if (f.kind != Scope::function) continue;
        const bool kernel = s.has(f.head, f.open, "__global__");
        if (kernel) refuseReferences(s, f);
        if (kernel || (s.has(f.head, f.open, "__device__") && !s.has(f.head, f.open, "__host__"))) refuseLibrary(s, f);
    }
}
