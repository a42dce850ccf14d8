// device.cpp: __device__ の変数と関数。
#include "rewrite.h"

// 初めの値がコンパイルのときに決まることを確かめさせ、検査 (tool) に名前と大きさを知らせるものを、宣言の後ろに足す。
// カーネルの中の static も、__device__ の変数である
void rewriteVariables(Source& s, bool tool) {
    for (size_t i = 0; i < s.size(); i++) {
        const Token& t = s.tokens[i];
        static const std::set<std::string> spaces = {"__device__", "__constant__", "__managed__"};
        const auto kind = s.scopes[t.scope].kind;
        const bool inside = kind != Scope::type && s.mayRunOnDevice(s.named(i));
        if (t.kind != Token::word || t.inDefine || !(inside ? t.text == "static" : spaces.count(t.text))) continue;
        const size_t end = s.statementEnd(t.statement);
        if (end == s.size() || (!inside && kind != Scope::file && kind != Scope::names)) continue;
        const auto has = [&](const char* word) { return s.has(t.statement, end, word); };
        if (has("extern") || has("template")) continue;
        if (inside && (has("__shared__") || has("const") || has("constexpr"))) continue;
        bool variable = !has("operator"), checked = !has("constexpr");
        const bool constant = t.text == "__constant__";
        std::string all, limits;
        std::vector<size_t> unset;  // 初めの値のない変数の終わり。clang++ は、0 になるものも、{} がないと断る
        for (auto& d : s.declarators(t.statement, end)) {
            const std::string& x = s[d.name];
            variable = variable && d.name < d.end && s[s.next(d.name)] != "(";  // でなければ、関数
            checked = checked && s[s.previous(s.previous(d.name))] != "(";  // 関数を指すものには、付けられない
            const std::string named = x + ", \"" + x + "\", {__FILE__, __LINE__}";
            const bool given = s.has(d.name, d.end, "=") || s.has(d.name, d.end, "{");
            const char* const fixed = !constant ? "" : given ? ", 1" : ", 2";
            if (inside) all += " static bool cpu_known_" + x + "; ::cpu::know(cpu_known_" + x + ", " + named + ");";
            else all += " static ::cpu::Variable cpu_variable_" + x + "(" + named + fixed + ");";
            if (!given) unset.push_back(s.previous(d.end));
            if (constant) limits += " static_assert(sizeof(" + x + ") <= 65536, CPU_CONSTANT_LIMIT);";
        }
        if (!variable) continue;
        if (checked) s.tokens[i].text += " CPU_CONSTANT_INITIALIZED";
        for (size_t k : unset) s.tokens[k].text += "{}";
        s.tokens[end].text += (tool ? all : "") + limits;
        i = end;
    }
}

// 値を返す、クラスの外の関数
static bool returnsValue(const Source& s, const Scope& f) {
    if (f.name == s.size() || s.scopes[f.parent].kind == Scope::type) return false;
    int types = 0;
    for (size_t k = f.head; k < f.name; k++) {
        if (s[k] == "::" || s[k] == "operator" || s[k] == "auto" || (s[k] == "void" && s[s.next(k)] != "*"))
            return false;
        types += s.word(k) && s[k].compare(0, 2, "__") && s[k] != "static" && s[k] != "inline";
    }
    return types > 0;
}
// nvcc は、値のない return; も、警告だけで受け付ける
void rewriteReturns(Source& s) {
    for (size_t i = 0; i < s.size(); i++) {
        const Scope* f = s.function(i);
        if (s.tokens[i].inDefine || s[i] != "return" || s[s.next(i)] != ";" || !f || !returnsValue(s, *f)) continue;
        s.warn(i, "値を返す関数の return に値がない: 呼んだ側に渡る値は決まらない");
        s.tokens[i].text = "return {}";
    }
}

// ホストとデバイスで意味の違う名前。nvcc はホストとデバイスを別々に読むが、CPU デバイスは 1 度しか読まないので、
// デバイスだけの関数 (__global__ か、__host__ のない __device__) の中でだけ書き換える。
//   __CUDA_ARCH__  →  900         (ホストでは決まっていない)
//   clock()        →  clock64()   (ホストでは、C の標準ライブラリのもの)
static void readAsDevice(Source& s, size_t i) {
    static const std::string name = "__CUDA_ARCH__";
    static const Pattern clock = "!.|->|:: clock ( )";
    Token& t = s.tokens[i];
    if (t.text == "clock" && !s.match(s.previous(i), clock).empty() && s.onDevice(s.named(i))) t.text = "clock64";
    if ((t.kind != Token::directive && t.text != name) || t.text.find(name) == std::string::npos) return;
    // 関数の外の #if __CUDA_ARCH__ >= 700 が囲むのは、デバイスの関数。#ifdef なら、ホストとデバイスの書き分け
    const bool compares = t.kind == Token::directive && t.text.find_first_of("<>=") != std::string::npos;
    if (!s.onDevice(s.named(i)) && (s.function(i) || !compares)) return;
    static const std::string words[][2] = {{"ifdef " + name, "if 1"},      {"ifndef " + name, "if 0"},
                                           {"defined(" + name + ")", "1"}, {"defined (" + name + ")", "1"},
                                           {"defined " + name, "1"},       {name, "900"}};
    for (auto& [word, value] : words)
        for (size_t k; (k = t.text.find(word)) < t.text.size();) t.text.replace(k, word.size(), value);
}
void rewriteWords(Source& s) {
    for (size_t i = 0; i < s.size(); i++) {
        readAsDevice(s, i);
        const Token& t = s.tokens[i];
        if (t.kind != Token::word) continue;
        const size_t before = s.previous(i);
        // 標準ライブラリも __attribute__((__noinline__)) と書くので、マクロにはできない
        if (t.text == "__noinline__" && s[before] != "(" && s[before] != ",")
            s.tokens[i].text = "__attribute__((noinline))";
        if (t.text == "__launch_bounds__")
            for (auto& c : s.scopes)
                if (c.kind == Scope::function && c.head <= i && i < c.open)
                    s.tokens[c.open].text += " CPU_LAUNCH_BOUNDS" + s.text(s.next(i), s.close(s.next(i)) + 1) + ";";
        if (t.text == "register" && s.word(s.next(i))) s.tokens[i].text = "";  // C++17 にはないが、nvcc は受け付ける
        if (t.text != "asm" && t.text != "__asm__" && t.text != "__asm") continue;
        if (!t.inDefine && !s.mayRunOnDevice(s.named(i))) continue;  // ホストのアセンブリ
        size_t open = s.next(i);
        while (s.word(open)) open = s.next(open);  // volatile
        if (s[open] != "(" || s[s.next(open)] == "\"\"") continue;  // 空なら、コンパイラへの印だけである
        s.replace(
            i, s.close(open) + 1,
            "static_assert(!CPU_DEVICE, \"PTX (asm) は CPU デバイスでは動かない: 同じことをする CUDA の関数で書くか、"
            "GPU で動かす\")");
    }
}

// 検査に、カーネルの中の return、new、malloc、free、memcpy と、戻り値を捨てる atomicExch を知らせる (cpu/shared.h など)
void rewriteHeap(Source& s) {
    static const std::string heap = "::cpu::Heap({__FILE__, __LINE__})";
    static const std::set<std::string> starts = {";", "{", "}", "else", "if", "for", "while"};
    static const std::set<std::string> others = {"::", ".", "->", "*"};  // * は、宣言の void* malloc(size_t)
    for (size_t i = 1; i < s.size(); i++) {
        const size_t before = s.previous(i), after = s.next(i);
        std::string& text = s.tokens[i].text;
        if (!s.word(i) || s[before] == "operator") continue;
        const Scope* f = s.named(i);
        for (auto& c : s.scopes)  // コンストラクタの : から { まで
            if (!f && c.kind == Scope::function && c.head < i && i < c.open) f = &c;
        if (!s.mayRunOnDevice(f)) continue;
        if (text == "return" && s[after] == ";" && s.function(i) == f && s.has(f->head, f->open, "__global__"))
            text = "return ::cpu::leaveEarly()";
        if (text == "new" && s[after] != "(")  // 型を変える ( ) や * の後ろでは、型は知らせない
            text = s.word(before) || s[before] == "=" || s[before] == "(" ? heap + " ->* new" : "new (" + heap + ")";
        if (s[after] != "(" || others.count(s[before])) continue;
        const bool alone = starts.count(s[s[before] == ")" ? s.previous(s.open(before)) : before]);
        if (text == "atomicExch" && alone && s[s.next(s.close(after))] == ";") text = "cpu_store_atomicExch";
        if (text == "malloc") text = "(" + heap + ", ::operator new", s.tokens[s.close(after)].text += ")";
        else if (text == "free") text = "::operator delete";
        else if (text == "memcpy" || text == "memset") text = "cpu_" + text;
    }
}
