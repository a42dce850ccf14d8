// device.cpp: __device__ の変数と関数。
#include "rewrite.h"

// 検査のために、変数の名前と大きさを知らせるものを、宣言の後ろに足す
void rewriteVariables(Source& s) {
    for (size_t i = 0; i < s.size(); i++) {
        const Token& t = s.tokens[i];
        if (t.kind != Token::word || (t.text != "__device__" && t.text != "__constant__") || t.inDefine) continue;
        const auto kind = s.scopes[t.scope].kind;
        const size_t end = s.statementEnd(t.statement);
        if (end == s.size() || (kind != Scope::file && kind != Scope::names)) continue;
        if (s.has(t.statement, end, "extern") || s.has(t.statement, end, "template")) continue;
        std::vector<std::string> names;
        bool variable = !s.has(t.statement, end, "operator");
        size_t from = t.statement;
        for (size_t comma : declarators(s, from, end)) {
            const size_t name = declaredName(s, from, comma);
            variable = variable && name < comma && s[s.next(name)] != "(";  // でなければ、関数
            if (variable) names.push_back(s[name]);
            from = comma + 1;
        }
        if (!variable) continue;
        for (auto& x : names)
            s.tokens[end].text +=
                " static ::cpu::Variable cpu_variable_" + x + "(" + x + ", \"" + x + "\", {__FILE__, __LINE__});";
        i = end;
    }
}

// 値を返す、クラスの外の関数
static bool returnsValue(const Source& s, const Scope& f) {
    if (f.kind != Scope::function || s.scopes[f.parent].kind == Scope::type) return false;
    int types = 0;
    for (size_t k = f.head; k < f.open && s[k] != "("; k++) {
        if (s[k] == "::" || s[k] == "operator" || s[k] == "auto" || (s[k] == "void" && s[s.next(k)] != "*"))
            return false;
        types += s.tokens[k].kind == Token::word && s[k].compare(0, 2, "__") && s[k] != "static" && s[k] != "inline";
    }
    return types > 1;
}
// nvcc は、値のない return; も、return のない関数も、if (a = b) も、警告だけで受け付ける
void rewriteReturns(Source& s) {
    for (const Scope& f : s.scopes) {
        bool ends = f.close == s.size() || s.has(f.head, f.open, "main");
        for (auto word : {"return", "throw", "exit", "abort", "__trap", "asm", "while", "for", "goto"})
            ends = ends || s.has(f.open, f.close, word);
        if (!ends && returnsValue(s, f)) s.warn(f.head, "値を返す関数に return がない: 呼んだ側に渡る値は決まらない");
    }
    for (size_t i = 0; i < s.size(); i++) {
        const size_t after = s.next(i), name = after < s.size() ? s.next(after) : after;
        if (s.tokens[i].kind != Token::word || s.tokens[i].inDefine || name >= s.size()) continue;
        if ((s[i] == "if" || s[i] == "while") && s.tokens[name].kind == Token::word && s[s.next(name)] == "=")
            s.warn(i, "( ) の中の = は、比べるのではなく代入である: 比べるなら == と書く");
        if (s[i] == "if" && s[after] == "(" && s.close(after) < s.size()) {
            const size_t end = s.next(s.close(after)), then = end < s.size() ? s.next(end) : end;
            if (then < s.size() && s[end] == ";" && s[then] != "else")
                s.warn(i, "if の ( ) のすぐ後ろに ; がある: 何もせずに終わり、後ろの文は、いつも実行される");
        }
        const size_t value = s.next(name), comma = s.next(s.next(value));  // dim3 b = (8, 8);
        if (s[i] == "dim3" && value < s.size() && s[name] == "=" && s[value] == "(" && s[comma] == ",")
            s.warn(i, "( , ) は、最後の数だけになる: dim3 " + s[after] + "(x, y) と書く");
        const Scope* f = s.function(i);
        if (s[i] != "return" || s[after] != ";" || !f || !returnsValue(s, *f)) continue;
        s.warn(i, "値を返す関数の return に値がない: 呼んだ側に渡る値は決まらない");
        s.tokens[i].text = "return {}";
    }
}

void rewriteWords(Source& s) {
    for (size_t i = 0; i < s.size(); i++) {
        const Token& t = s.tokens[i];
        if (t.kind != Token::word) continue;
        const size_t before = s.previous(i);
        // 標準ライブラリも __attribute__((__noinline__)) と書くので、マクロにはできない
        if (t.text == "__noinline__" && (before == s.size() || (s[before] != "(" && s[before] != ",")))
            s.tokens[i].text = "__attribute__((noinline))";
        if (t.text != "asm" && t.text != "__asm__" && t.text != "__asm") continue;
        if (!t.inDefine && !s.mayRunOnDevice(s.named(i))) continue;  // ホストのアセンブリ
        size_t open = s.next(i);
        while (open < s.size() && s.tokens[open].kind == Token::word) open = s.next(open);  // volatile
        if (open >= s.size() || s[open] != "(") continue;
        s.replace(
            i, s.close(open) + 1,
            "static_assert(!CPU_DEVICE, \"PTX (asm) は CPU デバイスでは動かない: 同じことをする CUDA の関数で書くか、"
            "GPU で動かす\")");
    }
}

// 検査のために、カーネルの中の new と malloc を知らせる
void rewriteHeap(Source& s) {
    for (size_t i = 0; i < s.size(); i++) {
        const Token& t = s.tokens[i];
        if (t.kind != Token::word || (t.text != "new" && t.text != "malloc")) continue;
        if (!s.mayRunOnDevice(s.named(i))) continue;
        const size_t before = s.previous(i), after = s.next(i);
        if (after == s.size() || before == s.size() || s[before] == ":" || s[before] == "operator") continue;
        if (t.text == "new" && s[after] != "(") s.tokens[i].text = "new (::cpu::KernelHeap{})";
        if (t.text == "malloc" && s[after] == "(") s.tokens[i].text = "(::cpu::noteKernelHeap(), malloc)";
    }
}
