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
        size_t name = s.size();
        bool variable = true, expectName = true;  // expectName: いまの宣言子の名前が、まだ決まっていない
        for (size_t k = t.statement, angles = 0; k <= end && variable; k++) {
            if (s.skipped(k)) continue;
            if (s[k] == "__align__" || s[k] == "alignas" || s[k] == "__attribute__") {
                k = s.close(s.next(k));
                continue;
            }
            if (s[k] == "<") angles++;
            if (s[k] == ">" && angles > 0) angles--;
            if (s[k] == "operator") variable = false;
            if (s[k] == "(" && expectName && angles == 0) variable = false;  // 関数
            if (expectName && angles == 0 &&
                (s[k] == "=" || s[k] == "[" || s[k] == "{" || s[k] == "," || s[k] == ";")) {
                if (name == s.size()) variable = false;
                else names.push_back(s[name]);
                expectName = false;
            }
            if (s[k] == "(" || s[k] == "[" || s[k] == "{") k = s.close(k);
            else if (s[k] == "," && angles == 0) expectName = true, name = s.size();
            else if (s.tokens[k].kind == Token::word && angles == 0 && expectName) name = k;
        }
        if (!variable) continue;
        for (auto& x : names)
            s.tokens[end].text +=
                " static ::cpu::Variable cpu_variable_" + x + "(" + x + ", \"" + x + "\", {__FILE__, __LINE__});";
        i = end;
    }
}

// nvcc は、値を返す __device__ 関数の return; を、警告だけで受け付ける。__host__ も付けば断る
void rewriteReturns(Source& s) {
    for (size_t i = 0; i < s.size(); i++) {
        if (s.tokens[i].kind != Token::word || s[i] != "return" || s.next(i) == s.size() || s[s.next(i)] != ";")
            continue;
        const Scope* f = s.function(i);
        if (s.tokens[i].inDefine || !f || f->kind != Scope::function) continue;
        if (!s.has(f->head, f->open, "__device__") || s.has(f->head, f->open, "__host__")) continue;
        size_t k = f->head, types = 0;  // 名前の ( まで
        bool nothing = false;
        for (; k < f->open && s[k] != "("; k++) {
            if (s.tokens[k].kind != Token::word) continue;
            if (s[k] == "void" && s[s.next(k)] != "*") nothing = true;
            if (s[k].compare(0, 2, "__") && s[k] != "static" && s[k] != "inline") types++;
        }
        if (nothing || types < 2 || s.has(f->head, k, "auto")) continue;
        fprintf(stderr, "%s: 警告: 値を返す関数の return に値がない: 呼んだ側に渡る値は決まらない\n", s.at(i).c_str());
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
        const Scope* f = s.function(i);
        while (f && f->kind == Scope::lambda) f = s.function(f->head);
        if (!t.inDefine && (!f || (!s.has(f->head, f->open, "__device__") && !s.has(f->head, f->open, "__global__"))))
            continue;  // ホストのアセンブリ
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
        const Scope* f = s.function(i);
        while (f && f->kind == Scope::lambda) f = s.function(f->head);
        if (!f || (!s.has(f->head, f->open, "__device__") && !s.has(f->head, f->open, "__global__"))) continue;
        const size_t before = s.previous(i), after = s.next(i);
        if (after == s.size() || before == s.size() || s[before] == ":" || s[before] == "operator") continue;
        if (t.text == "new" && s[after] != "(") s.tokens[i].text = "new (::cpu::KernelHeap())";
        if (t.text == "malloc" && s[after] == "(") s.tokens[i].text = "(::cpu::noteKernelHeap(), malloc)";
    }
}
