// scopes.cpp: 文の始まりと、{ } が何か (関数、クラス、名前空間) を決める。
#include <algorithm>
#include <set>

#include "tokens.h"

// 頭が tokens[head] から始まる { は何か
static Scope::Kind kindOf(const Source& s, size_t head, size_t open, Scope::Kind parent, int parens) {
    const size_t before = s.previous(open);
    if (before == s.size()) return Scope::block;
    // [=](int x) mutable -> int {、[] {
    static const std::set<std::string> ends = {")", "]", "=", "(", ","};
    size_t k = before;
    while (k < s.size() && k >= head && !ends.count(s[k])) k = s.previous(k);
    if (s[k] == ")" && k >= head) {
        k = s.previous(s.open(k));
        while (k > head && (s[k] == "__device__" || s[k] == "__host__")) k = s.previous(k);
    }
    if (s[k] == "]" && k >= head) {
        const size_t name = s.previous(s.open(k));
        const bool array = name < s.size() && name >= head && (s.word(name) || s[name] == "]" || s[name] == ")");
        if (!array || s[name] == "return") return Scope::lambda;
    }
    auto otherwise = Scope::block;
    for (auto word : {"struct", "class", "union", "enum"})
        if (s.has(head, open, word)) otherwise = Scope::type;
    if (parens > 0 || parent == Scope::function || parent == Scope::lambda || parent == Scope::block) return otherwise;
    if (s.has(head, open, "namespace") || (s[head] == "extern" && s.tokens[before].kind == Token::string))
        return Scope::names;
    while (s[head] == "template") head = s.next(s.close(s.next(head)));
    // 名前の後に ( があれば関数。alignas(16) などは名前ではない
    static const std::set<std::string> attributes = {"alignas",           "__align__", "__attribute__",
                                                     "__launch_bounds__", "decltype",  "sizeof"};
    for (size_t i = head; i < open; i++) {
        if (s[i] == "=" && !s.has(head, i, "operator")) return Scope::block;  // int a[] = {1, 2};
        if (s[i] != "(") continue;
        const size_t name = s.previous(i);
        if (s.word(name) && !attributes.count(s[name])) return Scope::function;
        if (s.has(head, i, "operator")) return Scope::function;
        i = s.close(i);
    }
    return otherwise;
}

void Source::findScopes() {
    scopes.push_back({Scope::file, -1, 0, 0, size(), size()});
    struct State {
        int scope;
        std::vector<int> parens;  // { ごとの、開いている ( の数
        size_t statement;
    };
    State now{0, {0}, 0};
    std::vector<State> branches;  // #if のときの様子。#else では、そこから始め直す
    bool fresh = true;            // 次の字句から、新しい文が始まる
    for (size_t i = 0; i < tokens.size(); i++) {
        Token& t = tokens[i];
        t.scope = now.scope;
        t.statement = now.statement;
        if (t.kind == Token::directive) {
            const size_t k = t.text.find_first_not_of(" \t", 1);
            const auto is = [&](const char* name) { return k < t.text.size() && t.text.compare(k, 2, name) == 0; };
            if (is("if")) branches.push_back(now);
            else if (is("el") && !branches.empty()) now = branches.back();
            else if (is("en") && !branches.empty()) branches.pop_back();
            continue;
        }
        if (t.inDefine || t.kind == Token::blank) continue;
        if (fresh) t.statement = now.statement = i, fresh = false;
        if (t.kind != Token::symbol) continue;
        if (t.text == "(") now.parens.back()++;
        if (t.text == ")") now.parens.back()--;
        if (t.text == ";" && now.parens.back() <= 0) fresh = true;
        if (t.text == ":" && i > 0 && scopes[now.scope].kind == Scope::type) {  // public:
            const size_t word = previous(i);
            if (word != size() && word == now.statement) fresh = true;
        }
        if (t.text == "{") {
            const auto kind = kindOf(*this, now.statement, i, scopes[now.scope].kind, now.parens.back());
            const size_t name = kind == Scope::function ? nameBefore(now.statement) : size();
            scopes.push_back({kind, now.scope, now.statement, i, size(), name});
            t.scope = now.scope = int(scopes.size()) - 1;
            now.parens.push_back(0);
            fresh = true;
        }
        if (t.text == "}" && now.scope > 0) {
            scopes[now.scope].close = i;
            // int a[] = {1, 2}, b; や f({1, 2}, x) では、文は続く
            const bool ends = scopes[now.scope].kind != Scope::lambda && scopes[now.scope].kind != Scope::type &&
                              (now.parens.size() < 2 || now.parens[now.parens.size() - 2] <= 0) &&
                              (scopes[now.scope].kind != Scope::block || next(i) == size() || (*this)[next(i)] != ",");
            const size_t head = scopes[now.scope].head;
            now.scope = scopes[now.scope].parent;
            now.parens.pop_back();
            now.statement = head;
            fresh = ends;
        }
    }
}
