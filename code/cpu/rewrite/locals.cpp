// locals.cpp: 値を入れずに使う変数。nvcc は、警告だけで受け付ける。
// 組み込みの型の変数だけを、確かなときにだけ言う: 参照で渡したかもしれないもの、条件で分かれるものには、何も言わない。
#include <set>

#include "rewrite.h"

namespace {
using Words = std::set<std::string>;
const Words kControls = {"if", "else", "for", "while", "do", "switch", "case", "default", "try", "catch", "goto"};
const Words kUpdates = {"++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
enum class Use { read, write, unknown };

struct Local {
    size_t name, end;  // 宣言の文の終わり
    const Scope* scope;
    bool array;
};

bool takesAddress(const Source& s, size_t i) {  // i のある式に、& がある
    static const Words ends = {";", "{", "}"};
    while (!ends.count(s[i - 1])) i--;
    for (; !ends.count(s[i]); i++)
        if (s[i] == "&") return true;
    return false;
}
Use useOf(const Source& s, size_t k, size_t after) {  // after: 配列なら、添字の次
    static const std::string openings = "(,{;})";
    const size_t before = s.previous(k), left = s.previous(before);
    const std::string &p = s[before], &q = s[after];
    const bool operand = s.word(left) || s.tokens[left].kind == Token::number || s[left] == ")" || s[left] == "]";
    if (p == "*" && !operand) return Use::read;  // *p = 1 は、p を読む
    if (q == "=") return Use::write;
    if (kUpdates.count(q) || p == "++" || p == "--") return Use::read;
    if (takesAddress(s, k) || (p == ">" && s[left] == ">") || q == "." || q == ":") return Use::unknown;
    if (s.word(before)) return p == "return" ? Use::read : Use::unknown;
    const bool alone = q == "," || q == ")" || q == "}" || q == ";";
    return alone && openings.find(p[0]) < openings.size() ? Use::unknown : Use::read;  // 引数は、参照かもしれない
}
// i から始まる宣言 (for の頭のものも) の終わりの ;。始まらなければ size()
size_t declarationEnd(const Source& s, size_t i) {
    if (s.tokens[i].statement == i) return s.statementEnd(i);
    const size_t open = s.previous(i), end = s.find(i, s.size(), ";");
    return s[open] == "(" && s[s.previous(open)] == "for" && end < s.close(open) ? end : s.size();
}
// 初めの値の式が自分を読む所 (int v = v + 1;)。なければ size()
size_t readOwn(const Source& s, const Declarator& d) {
    const size_t after = s.next(d.name), own = s[after] == "=" ? s.find(after, d.end, s[d.name]) : d.end;
    if (own == d.end || s.tokens[own].line > s.tokens[d.name].line) return s.size();  // 間の ; を忘れている
    const std::string &left = s[s.previous(own)], &right = s[s.next(own)];
    return left != "." && right != "." && (left == "=" || right == ";") ? own : s.size();
}
// 値を入れるより前に、確かに読む所。なければ size()
size_t readUnset(const Source& s, const Local& v) {
    size_t first = s.size();
    bool onlyRead = true;
    for (size_t k = v.end; k < v.scope->close; k++) {
        const std::string& before = s[s.previous(k)];
        if (s.tokens[k].kind == Token::directive || s[k] == "asm" || s[k] == "goto") return s.size();
        if (s[k] != s[v.name] || before == "." || before == "->" || before == "::") continue;
        size_t after = s.next(k);
        if (s.tokens[k].inDefine || s.function(k) != s.function(v.name) || (v.array && s[after] != "["))
            return s.size();
        while (v.array && s[after] == "[") after = s.next(s.close(after));
        const Use use = useOf(s, k, after);
        if (first == s.size() && use != Use::read) return first;
        if (first == s.size()) first = k;
        onlyRead = onlyRead && use == Use::read;
    }
    if (first == s.size() || onlyRead) return first;
    const size_t statement = s.tokens[first].statement;
    const bool condition = (s[statement] == "if" || s[statement] == "while") && first < s.close(s.next(statement));
    const bool always = !v.array && s.tokens[first].scope == s.tokens[v.name].scope &&
                        (condition || !kControls.count(s[statement])) &&
                        s.text(statement, first).find_first_of("?&|") == std::string::npos;
    return always ? first : s.size();
}
}  // namespace

void warnOfLocals(const Source& s) {
    for (size_t i = 0; i < s.size(); i++) {
        const Token& t = s.tokens[i];
        if (t.inDefine || !kTypes.count(t.text)) continue;
        const Scope& scope = s.scopes[t.scope];
        const size_t end = declarationEnd(s, i);
        if (scope.kind == Scope::type || !s.function(i) || end == s.size()) continue;
        for (auto& d : s.declarators(i, end)) {
            if (d.name == d.end || kTypes.count(s[d.name]) || s[s.previous(d.name)] == "&") continue;
            if (s.function(d.name) != s.function(i)) continue;  // 括弧が合わない
            const size_t after = s.next(d.name);
            const Local v{d.name, end, &scope, s[after] == "["};
            const bool unset = (v.array ? s.next(s.close(after)) : after) == d.end;
            const size_t own = readOwn(s, d), read = own < s.size() ? own : unset ? readUnset(s, v) : s.size();
            if (read < s.size())
                s.warn(read, s[v.name] + " に値を入れる前に使う: 初めの値は決まらない。" +
                                 std::to_string(s.tokens[v.name].line) + " 行目の宣言で = 0 のように入れる");
        }
    }
    static const Pattern written = ";|{|}|) W =|+=|-=|*=|/=|++|--";
    for (const Scope& f : s.scopes) {  // カーネルが、値で渡された引数に書くだけで、読まない
        if (f.kind != Scope::function || !s.has(f.head, f.open, "__global__")) continue;
        for (auto& d : s.declarators(s.next(s.next(f.name)), s.close(s.next(f.name)))) {
            size_t k = kTypes.count(s[s.previous(d.name)]) ? f.open : s.size(), at = f.open;
            while ((k = s.find(k + 1, f.close, s[d.name])) < f.close && !s.match(s.previous(k), written).empty())
                at = k;
            if (k == f.close && at > f.open)
                s.warn(at, s[d.name] + " は値で渡された写しで、書いてもホストには返らない: ポインタで渡す");
        }
    }
}

// 検査のために、値を入れていないことを知らせるものを、宣言の後ろに足す。カーネルの中だけ
void rewriteUnset(Source& s) {
    static const Words others = {"return",   "goto",    "else",      "do",       "case",  "using",   "delete", "throw",
                                 "new",      "typedef", "struct",    "class",    "union", "enum",    "extern", "static",
                                 "volatile", "const",   "constexpr", "register", "auto",  "typename"};
    for (size_t i = 0; i < s.size(); i++) {
        const Token& t = s.tokens[i];
        if (t.kind != Token::word || t.inDefine || others.count(t.text)) continue;
        const Scope* const f = s.named(i);
        const size_t end = declarationEnd(s, i);
        const bool plain = kTypes.count(t.text);
        if (s.scopes[t.scope].kind == Scope::type || !s.mayRunOnDevice(f) || end == s.size() ||
            s.has(f->head, f->open, "constexpr") || (!plain && !s.word(s.next(i))))
            continue;
        std::string all;
        for (auto& d : s.declarators(i, end)) {
            const size_t after = s.next(d.name);
            const bool array = after < d.end && s[after] == "[";
            const std::string& before = s[s.previous(d.name)];
            const size_t own = plain && t.text != "auto" ? readOwn(s, d) : s.size();
            if (own < s.size()) s.tokens[own].text = "CPU_OWN(" + s[d.name] + ")";
            if (d.name == d.end || d.name == i || kTypes.count(s[d.name]) || before == "&" ||
                (!plain && before == "*") || (array ? s.next(s.close(after)) : after) != d.end) {
                if (d.begin == i && !plain) break;
            } else all += std::string(" CPU_UNSET") + (array || !plain ? "_MEMORY(" : "(") + s[d.name] + ");";
        }
        if (t.statement == i) s.tokens[end].text += all;
    }
}
