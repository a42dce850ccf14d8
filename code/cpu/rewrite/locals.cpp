// locals.cpp: 値を入れずに使う変数と、関数の終わりで消える変数の番地を返すこと。nvcc も、警告だけで受け付ける。
// 組み込みの型の変数だけを、確かなときにだけ言う: 参照で渡したかもしれないもの、条件で分かれるものには、何も言わない。
#include <algorithm>
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
// 値を入れていない配列の要素に足す所。どこでも = で入れず、どこにも渡していないときだけ。なければ size()
size_t updatedUnset(const Source& s, const Local& v) {
    size_t first = s.size();
    for (size_t k = v.end; k < v.scope->close; k++) {
        if (s.tokens[k].kind == Token::directive || s[k] == "asm" || s[k] == "goto") return s.size();
        if (s.tokens[k].kind != Token::word || s[k] != s[v.name] || isMember(s, k)) continue;
        size_t after = s.next(k);
        if (s.tokens[k].inDefine || s.function(k) != s.function(v.name) || s[after] != "[") return s.size();
        while (s[after] == "[") after = s.next(s.close(after));
        if (updates(s, s.previous(k), after)) first = std::min(first, k);
        else if (first == s.size() || s[after] == "=" || s[after] == "." || s[s.previous(k)] == "&") {
            if (first == s.size() || !pair(s, after, "==")) return s.size();
        }
    }
    return first;
}
// 番地を、v より長く残る変数に入れ、v が消えた後に使うか返す所。なければ size()
size_t outlived(const Source& s, const Local& v, size_t& used) {
    const Scope* const f = s.function(v.name);
    const bool array = s[s.next(v.name)] == "[";
    const auto is = [&](size_t k, size_t name) { return s.tokens[k].kind == Token::word && s[k] == s[name]; };
    const auto assigns = [&](size_t k) { return s[s.next(k)] == "=" && s[s.next(s.next(k))] != "="; };
    for (size_t k = v.end; k < v.scope->close; k++) {
        if (!is(k, v.name) || s.function(k) != f) continue;
        size_t before = s.previous(k), after = s.next(k);
        const bool address = s[before] == "&";
        if (address) before = s.previous(before);
        if (array && address && s[after] == "[") after = s.next(s.close(after));
        if (s[before] != "=" || s[after] != ";" || !(address || array)) continue;
        const size_t target = s.previous(before), dot = s.previous(target);
        if (s.tokens[target].kind != Token::word) continue;
        const bool member = s[dot] == ".";
        const size_t base = member ? s.previous(dot) : target, left = s.previous(base);
        const bool declares = !member && s[left] == "*" && s.tokens[target].statement < left;
        if (!declares && !strchr(";{})", s[left][0]) && s[left] != "else") continue;
        bool inside = declares, once = true;  // v と同じ { } で宣言した。ほかの所では入れない
        for (size_t j = f->open; j < f->close; j++) {
            if (!is(j, base) || isMember(s, j)) continue;
            const std::string& head = s[s.tokens[j].statement];
            const bool own = j > v.scope->open && j < v.scope->close;
            if (own && !kControls.count(head) && j != s.tokens[j].statement &&
                s[s.next(s.tokens[j].statement)] != "=" &&
                (kTypes.count(head) || head == "const" || head == "auto" || s[s.previous(j)] == head))
                inside = true;
            const size_t part = s.next(s.next(j));  // w.p の p
            if (j != base && (s[s.next(j)] == "=" ? assigns(j) : member && is(part, target) && assigns(part)))
                once = once && s[s.next(s.next(j))] == "nullptr" && j < base;
            if (s[s.previous(j)] == "&" && !isOperand(s, s.previous(s.previous(j)))) once = false, inside = true;
        }
        for (size_t j = k; j < v.scope->close; j++)  // すぐに、ほかのものを入れる
            if (is(j, base) && assigns(j)) inside = true;
        for (size_t j = k; j < f->close && (once || !inside); j++) {
            if (!is(j, base) || isMember(s, j) || s.function(j) != f) continue;
            const size_t p = s.previous(j), n = s.next(j);
            if (once && s[p] == "return" && s[n] == ";") return used = j, k;
            if (j < v.scope->close || inside) continue;
            if (assigns(j)) break;
            const bool reads = (s[p] == "*" && !isOperand(s, s.previous(p))) || s[n] == "[" || pair(s, n, "->");
            if (!member && reads) return used = j, k;
        }
    }
    return s.size();
}
// return [&k](int x) { return x + k; }; k は、関数の引数か変数
void warnOfLambdas(const Source& s) {
    for (const Scope& l : s.scopes) {
        if (l.kind != Scope::lambda || l.close >= s.size() || s[s.next(l.close)] != ";") continue;
        size_t open = l.head;
        while (open < l.open && s[open] != "[") open++;
        if (open >= l.open || s[s.previous(open)] != "return") continue;
        const Scope* const f = s.function(s.previous(open));
        if (!f || f->kind != Scope::function) continue;
        Words names;
        size_t from = f->head;
        while (from < f->open && s[from] != "(") from++;
        const size_t end = s.close(from);
        for (size_t comma : declarators(s, ++from, end)) {
            const size_t name = declaredName(s, from, comma);
            if (name < comma && s[s.previous(name)] != "&") names.insert(s[name]);
            from = comma + 1;
        }
        for (size_t k = open + 1; k < s.close(open); k++) {
            const size_t name = s.next(k);
            if (s[k] == "&" && names.count(s[name]))
                s.warn(k, s[name] + " は、関数の終わりで消える: & を付けずに、値で捕まえる");
        }
    }
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
    warnOfLambdas(s);
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
            const size_t read = s.next(v.name) == comma ? readUnset(s, v)
                                : s[s.next(v.name)] == "[" && s.next(s.close(s.next(v.name))) == comma
                                    ? updatedUnset(s, v)
                                    : s.size();
            size_t used = 0;
            const size_t gone = returned(s, v), kept = outlived(s, v, used);
            if (kept < s.size())
                s.warn(kept, s[v.name] + " は、宣言した { } の終わりで消える: " + std::to_string(s.tokens[used].line) +
                                 " 行目で使うときには、もうない。その { } の外で宣言する");
            if (read < s.size())
                s.warn(read, s[v.name] + " に値を入れる前に使う: 初めの値は決まらない。" +
                                 std::to_string(s.tokens[v.name].line) + " 行目の宣言で = 0 のように入れる");
            if (gone < s.size())
                s.warn(gone, s[v.name] + " は、関数の終わりで消える: 番地ではなく値を返すか、置く所を引数で受け取る");
        }
    }
}

// 検査のために、値を入れていないことを知らせるものを、宣言の後ろに足す。カーネルの中だけ
void rewriteUnset(Source& s) {
    static const Words others = {"return", "goto",     "else",   "case",      "using",    "delete", "throw",
                                 "new",    "typedef",  "struct", "class",     "union",    "enum",   "extern",
                                 "static", "volatile", "const",  "constexpr", "register", "auto",   "typename"};
    for (size_t i = 0; i < s.size(); i++) {
        const Token& t = s.tokens[i];
        if (t.kind != Token::word || t.statement != i || t.inDefine || others.count(t.text)) continue;
        const Scope* const f = s.named(i);
        const size_t end = s.statementEnd(i);
        const bool plain = kTypes.count(t.text);
        if (s.scopes[t.scope].kind == Scope::type || !s.mayRunOnDevice(f) || end == s.size() ||
            s.has(f->head, f->open, "constexpr") || (!plain && s.tokens[s.next(i)].kind != Token::word))
            continue;
        std::string all;
        size_t from = i;
        for (size_t comma : declarators(s, i, end)) {
            const size_t name = declaredName(s, from, comma), after = name < comma ? s.next(name) : comma;
            const bool array = after < comma && s[after] == "[";
            const std::string& before = name < comma ? s[s.previous(name)] : t.text;
            if (name >= comma || name == i || kTypes.count(s[name]) || before == "&" || (!plain && before == "*") ||
                (after != comma && (!array || s.next(s.close(after)) != comma))) {
                if (from == i && !plain) break;
            } else all += std::string(" CPU_UNSET") + (array || !plain ? "_MEMORY(" : "(") + s[name] + ");";
            from = comma + 1;
        }
        s.tokens[end].text += all;
    }
}
