// locals.cpp: 値を入れずに使う変数と、関数の終わりで消える変数の番地を返すこと。nvcc も、警告だけで受け付ける。
// 組み込みの型の変数だけを、確かなときにだけ言う: 参照で渡したかもしれないもの、条件で分かれるものには、何も言わない。
#include <cstring>
#include <set>

#include "rewrite.h"

namespace {
using Words = std::set<std::string>;
const Words kTypes = {"int", "unsigned", "signed", "float", "double", "char", "bool", "long", "short", "size_t"};
const Words kControls = {"if", "else", "for", "while", "do", "switch", "case", "default", "try", "catch", "goto"};
enum class Use { read, write, unknown };

struct Local {
    size_t name, end;  // 宣言の文の終わり
    const Scope* scope;
};

bool isOperand(const Source& s, size_t i) {
    return s.tokens[i].kind == Token::word || s.tokens[i].kind == Token::number || s[i] == ")" || s[i] == "]";
}
// s[i] と s[i + 1]。演算子の多くは、1 字ずつの字句である
bool pair(const Source& s, size_t i, const char* two) { return s[i][0] == two[0] && s[i + 1][0] == two[1]; }
bool ends(const std::string& t) { return t == ";" || t == "{" || t == "}"; }
bool takesAddress(const Source& s, size_t i) {  // i のある式に、& がある
    while (!ends(s[i - 1])) i--;
    for (; !ends(s[i]); i++)
        if (pair(s, i, "&&")) i++;
        else if (s[i] == "&") return true;
    return false;
}
bool updates(const Source& s, size_t before, size_t after) {  // v += 1、v++、--v
    for (auto two : {"++", "--"})
        if (pair(s, after, two) || pair(s, before - 1, two)) return true;
    return strchr("+-*/%&|^", s[after][0]) && s[after + 1] == "=";
}
Use useOf(const Source& s, size_t k) {
    const size_t before = s.previous(k), after = s.next(k);
    const std::string &p = s[before], &q = s[after];
    if (p == "*" && !isOperand(s, s.previous(before))) return Use::read;  // *p = 1 は、p を読む
    if (q == "=") return Use::write;
    if (updates(s, before, after)) return Use::read;
    if (takesAddress(s, k) || pair(s, before - 1, ">>") || q == "." || q == ":") return Use::unknown;
    if (s.tokens[before].kind == Token::word) return p == "return" ? Use::read : Use::unknown;
    const bool alone = q == "," || q == ")" || q == "}" || q == ";";
    return alone && strchr("(,{;})", p[0]) ? Use::unknown : Use::read;  // 引数は、参照かもしれない
}
bool isMember(const Source& s, size_t k) {
    const std::string& p = s[s.previous(k)];
    return p == "." || p == "->" || p == "::";
}
// 値を入れるより前に、確かに読む所。なければ size()
size_t readUnset(const Source& s, const Local& v) {
    size_t first = s.size();
    bool onlyRead = true;
    for (size_t k = v.end; k < v.scope->close; k++) {
        if (s.tokens[k].kind == Token::directive || s[k] == "asm" || s[k] == "goto") return s.size();
        if (s.tokens[k].kind != Token::word || s[k] != s[v.name] || isMember(s, k)) continue;
        if (s.tokens[k].inDefine || s.function(k) != s.function(v.name)) return s.size();
        const Use use = useOf(s, k);
        if (first == s.size() && use != Use::read) return first;
        if (first == s.size()) first = k;
        onlyRead = onlyRead && use == Use::read;
    }
    if (first == s.size() || onlyRead) return first;
    const size_t statement = s.tokens[first].statement;
    const bool condition = (s[statement] == "if" || s[statement] == "while") && first < s.close(s.next(statement));
    const bool always = s.tokens[first].scope == s.tokens[v.name].scope &&
                        (condition || !kControls.count(s[statement])) &&
                        s.text(statement, first).find_first_of("?&|") == std::string::npos;
    return always ? first : s.size();
}
// その番地を返す return。なければ size()
size_t returned(const Source& s, const Local& v) {
    const Scope* const f = s.function(v.name);
    size_t open = f->head;
    while (open < f->open && s[open] != "(") open++;
    const std::string kind = f->kind == Scope::function ? s[s.previous(s.previous(open))] : "";  // 名前のすぐ前
    const bool array = s[s.next(v.name)] == "[";
    for (size_t k = v.end; k < v.scope->close; k++) {
        if (s.tokens[k].kind != Token::word || s[k] != "return" || s.function(k) != f) continue;
        size_t name = s.next(k);
        const bool address = s[name] == "&";
        if (address) name = s.next(name);
        if (s[name] != s[v.name]) continue;
        const std::string& after = s[s.next(name)];
        const bool part = after == "[", plain = after == ";";
        if (kind == "*" && (address ? plain || (part && array) : array && (plain || after == "+"))) return k;
        if (kind == "&" && !address && (plain || (part && array))) return k;
    }
    return s.size();
}
}  // namespace

void warnOfLocals(const Source& s) {
    for (size_t i = 0; i < s.size(); i++) {
        const Token& t = s.tokens[i];
        if (t.kind != Token::word || t.statement != i || t.inDefine || !kTypes.count(t.text)) continue;
        const Scope& scope = s.scopes[t.scope];
        const size_t end = s.statementEnd(i);
        if (scope.kind == Scope::type || !s.function(i) || end == s.size()) continue;
        size_t from = i;
        for (size_t comma : declarators(s, i, end)) {
            const Local v{declaredName(s, from, comma), end, &scope};
            from = comma + 1;
            if (v.name >= comma || kTypes.count(s[v.name]) || s[s.previous(v.name)] == "&") continue;
            const size_t read = s.next(v.name) == comma ? readUnset(s, v) : s.size(), gone = returned(s, v);
            if (read < s.size())
                s.warn(read, s[v.name] + " に値を入れる前に使う: 初めの値は決まらない。" +
                                 std::to_string(s.tokens[v.name].line) + " 行目の宣言で = 0 のように入れる");
            if (gone < s.size())
                s.warn(gone, s[v.name] + " は、関数の終わりで消える: 番地ではなく値を返すか、置く所を引数で受け取る");
        }
    }
}
