// rewrite.cpp: CUDA C++ のうち、普通の C++ コンパイラが読めない書き方だけを書き換えて、標準出力に出す。
//   kernel<<<grid, block>>>(in, out)
//     →  ::cpu::launch(場所, "kernel", [&](auto... a) { kernel(a...); }, grid, block)(in, out)
//   extern __shared__ float smem[];    →  float* smem = 動的共有メモリの先頭;
//   __shared__ float smem[256];        →  typedef float cpu_type_smem[256]; CPU_SHARED(smem, 揃え方);
// 検査のとき (--tool) は、__device__ float total; の後ろに、名前と大きさを知らせるものを書き足す。
// #include "sum.cuh" は、同じフォルダか節のフォルダにあれば、その場に広げて書き換える。
// 行の番号は #line で伝える。だから、コンパイルエラーも実行時の報告も、元の .cu の行番号で出る。
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "wasm/coroutines.h"

using Tokens = std::vector<std::string>;

static const char* path;
static Tokens tokens;

static bool isWord(char c) { return std::isalnum((unsigned char)c) || c == '_'; }
static bool isBlank(const std::string& t) {
    return std::isspace((unsigned char)t[0]) || t.compare(0, 2, "//") == 0 || t.compare(0, 2, "/*") == 0;
}

// s の i から始まる 1 つの字句の長さ
static size_t tokenLength(const std::string& s, size_t i) {
    auto until = [&](const std::string& end) {
        const size_t k = s.find(end, i + 2);
        return (k == std::string::npos ? s.size() : k + end.size()) - i;
    };
    if (s.compare(i, 2, "/*") == 0) return until("*/");
    if (s.compare(i, 2, "//") == 0) return s.find('\n', i) == std::string::npos ? s.size() - i : s.find('\n', i) - i;
    if (s.compare(i, 2, "R\"") == 0) return until(")" + s.substr(i + 2, s.find('(', i) - i - 2) + "\"");
    if (s.compare(i, 3, "<<<") == 0 || s.compare(i, 3, ">>>") == 0) return 3;
    size_t k = i + 1;
    if (s[i] == '"' || s[i] == '\'') {
        while (k < s.size() && s[k] != s[i] && s[k] != '\n') k += s[k] == '\\' ? 2 : 1;
        return std::min(k + 1, s.size()) - i;
    }
    if (isWord(s[i])) {
        const bool number = std::isdigit((unsigned char)s[i]);  // 1'000'000 の ' は文字の始まりではない
        while (k < s.size() &&
               (isWord(s[k]) || (number && (s[k] == '.' || (s[k] == '\'' && k + 1 < s.size() && isWord(s[k + 1]))))))
            k++;
    } else if (std::isspace((unsigned char)s[i])) {
        while (k < s.size() && std::isspace((unsigned char)s[k])) k++;
    }
    return k - i;
}

static std::string text(size_t from, size_t to) {
    std::string s;
    for (size_t i = from; i < to; i++) s += tokens[i];
    return s;
}
static std::string newlines(const std::string& s) {
    std::string r;
    for (char c : s)
        if (c == '\n') r += c;
    return r;
}
static std::string quoted(const std::string& s) {
    std::string r = "\"";
    for (char c : s) {
        if (c == '"' || c == '\\') r += '\\';
        r += c;
    }
    return r + "\"";
}
[[noreturn]] static void fail(size_t at, const char* sentence) {
    size_t line = 1;
    std::string file = path;
    for (size_t i = 0; i < at; i++) {
        line += newlines(tokens[i]).size();
        if (tokens[i] == "#" && i + 5 < at && tokens[i + 1] == "line") {  // #line 12 "ファイル" (make check の答え)
            line = std::stoul(tokens[i + 3]) - 1;
            file = tokens[i + 5].substr(1, tokens[i + 5].size() - 2);
        }
    }
    fprintf(stderr, "%s:%zu: %s\n", file.c_str(), line, sentence);
    exit(1);
}

// <<< の前にあるカーネルの名前の、最初の字句。ns::kernel<256, T> や table[k] の形を受け付ける。
static size_t kernelStart(size_t launch) {
    size_t j = launch;
    auto back = [&]() {
        if (j == 0) fail(launch, "<<< の前にカーネルの名前がない");
        j--;
    };
    auto skipBlank = [&]() {
        do back();
        while (isBlank(tokens[j]));
    };
    auto skipPair = [&](const char* open, const char* close) {
        for (int depth = 1; depth > 0;) {
            back();
            if (tokens[j] == close) depth++;
            if (tokens[j] == open) depth--;
        }
        skipBlank();
    };
    skipBlank();
    for (;;) {
        if (tokens[j] == ">") skipPair("<", ">");
        else if (tokens[j] == "]") skipPair("[", "]");
        else if (tokens[j] == ")")
            fail(launch, "カーネルは名前で起動する: (式)<<<...>>> の形は CPU デバイスでは使えない");
        if (!isWord(tokens[j][0])) fail(launch, "<<< の前にカーネルの名前がない");
        if (j < 2 || tokens[j - 1] != ":" || tokens[j - 2] != ":") return j;
        j -= 2;
        if (j == 0 || !(isWord(tokens[j - 1][0]) || tokens[j - 1] == ">")) return j;  // ::kernel
        j--;
    }
}

static std::string section;  // 書き換えるファイルと同じフォルダにないヘッダを探すフォルダ。なければ空

// #include "名前" のファイル。同じフォルダにも、節のフォルダにもなければ空
static std::string included(const std::string& file, const std::string& line) {
    const std::string include = "#include \"";
    if (line.compare(0, include.size(), include)) return "";
    const std::string name = line.substr(include.size(), line.find('"', include.size()) - include.size());
    for (const std::string& folder : {file.substr(0, file.rfind('/') + 1), section}) {
        std::string path = folder + name;
        for (size_t up; (up = path.find("/../")) != std::string::npos && up > 0;) {  // 5.9/../5.8/x.cuh は 5.8/x.cuh
            const size_t begin = path.rfind('/', up - 1) + 1;
            path.erase(begin, up + 4 - begin);
        }
        if (std::ifstream(path)) return path;
    }
    return "";
}

// ファイルの中身。取り込むヘッダは、1 度だけ、その中身に置き換える
static bool readFile(const std::string& file, std::string& all, std::set<std::string>& seen) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return false;
    seen.insert(file);
    std::string line;
    const std::string once = "#pragma once";
    all += "#line 1 " + quoted(file) + "\n";
    for (size_t number = 1; std::getline(in, line); number++) {
        const std::string name = included(file, line);
        const bool again = seen.count(name) > 0;
        if (line == once || again) all += "\n";
        else if (!name.empty() && readFile(name, all, seen))
            all += "#line " + std::to_string(number + 1) + " " + quoted(file) + "\n";
        else all += line + "\n";
    }
    return true;
}

// ---------------------------------------------------------------- 書き換え
// どれも、tokens[i] から始まる書き方を out に書き換え、最後に使った字句の番号を返す。書き換えないなら i を返す
static bool tool;
static Tokens out;  // tokens と同じ番号で、書き換えた結果を持つ

static size_t skipBlanks(size_t k) {
    while (k < tokens.size() && isBlank(tokens[k])) k++;
    return k;
}
static int nesting(const std::string& token, const char* opening, const char* closing) {
    return (strchr(opening, token[0]) != nullptr) - (strchr(closing, token[0]) != nullptr);
}
static size_t statementEnd(size_t k) {  // 文の終わりの ;
    int depth = 0;
    while (k < tokens.size() && !(tokens[k] == ";" && depth == 0)) depth += nesting(tokens[k++], "({[", ")}]");
    return k;
}
// tokens[k] の括弧の、閉じる方の次
static size_t afterPair(const Tokens& t, size_t k) {
    int depth = 0;
    do depth += nesting(t[k], "(", ")");
    while (++k < t.size() && depth > 0);
    return k;
}
static size_t replaceStatement(size_t i, size_t end, const std::string& statement) {  // 行の数は変えない
    out.back() = statement + newlines(text(i, end));
    out.resize(end);
    return end - 1;
}

// kernel<<<grid, block>>>
static size_t rewriteLaunch(size_t i) {
    const size_t name = kernelStart(i);
    size_t end = i + 1;
    for (int depth = 0; end < tokens.size() && !(tokens[end] == ">>>" && depth == 0); end++)
        depth += nesting(tokens[end], "([{", ")]}");
    if (end == tokens.size()) fail(i, "<<< に対応する >>> がない");
    const std::string kernel = text(name, i);
    for (size_t k = name; k <= i; k++) out[k].clear();
    out[name] = "::cpu::launch(CPU_SITE, " + quoted(kernel) + ", [&](auto... cpu_args) CPU_PLAIN { return " + kernel +
                "(cpu_args...); }, ";
    out.insert(out.end(), tokens.begin() + i + 1, tokens.begin() + end);
    out.push_back(")");
    return end;
}

// extern __shared__ T x[];
static size_t rewriteDynamicShared(size_t i) {
    const size_t shared = skipBlanks(i + 1), end = statementEnd(i);
    if (shared == tokens.size() || tokens[shared] != "__shared__") return i;
    Tokens words;  // 型、名前、[ ]
    for (size_t k = shared + 1; k < end; k++)
        if (!isBlank(tokens[k])) words.push_back(tokens[k]);
    for (size_t k = 0; k + 3 < words.size();) {
        if (words[k] == "__align__" || words[k] == "alignas")
            words.erase(words.begin() + k, words.begin() + afterPair(words, k + 1));
        else k++;
    }
    const size_t count = words.size();
    if (end == tokens.size() || count < 4 || words[count - 2] != "[" || words[count - 1] != "]")
        fail(i, "動的共有メモリは extern __shared__ 型 名前[]; の形で宣言する");
    std::string type;
    for (size_t k = 0; k + 3 < count; k++) type += words[k] + " ";
    return replaceStatement(i, end, "CPU_DYNAMIC_SHARED(" + type + ", " + words[count - 3] + ")");
}

// いま { の中にいるか。namespace の { は数えない
static std::vector<bool> braces;
static bool inFunction() { return std::find(braces.begin(), braces.end(), true) != braces.end(); }
static void countBrace(size_t i) {
    if (tokens[i] == "}" && !braces.empty()) braces.pop_back();
    if (tokens[i] != "{") return;
    size_t k = i;
    while (k > 0 && tokens[k] != "namespace" && (k == i || isBlank(tokens[k]) || isWord(tokens[k][0]))) k--;
    braces.push_back(tokens[k] != "namespace");
}
static bool inDirective(size_t i) {  // #define などの行
    for (; i > 0 && tokens[i] != "#"; i--)
        if (tokens[i].find('\n') != std::string::npos && tokens[i - 1] != "\\") return false;
    return tokens[i] == "#";
}

// __shared__ T x[N], y;
static size_t rewriteShared(size_t i) {
    if (!inFunction() || inDirective(i)) return i;
    std::string type, align;
    for (size_t k = i; k-- > 0 && (isBlank(tokens[k]) || tokens[k] == "static" || tokens[k] == "volatile");) {
        if (tokens[k] == "volatile") type = "volatile ";
        if (!isBlank(tokens[k])) out[k].clear();
    }
    const size_t end = statementEnd(i);
    std::vector<Tokens> declarators(1);  // 型と名前と [大きさ] の組。, で分かれる
    for (size_t k = i + 1, depth = 0, angles = 0; k < end; k++) {
        depth += nesting(tokens[k], "([{", ")]}");
        if (depth == 0) angles += nesting(tokens[k], "<", ">");  // 大きさの 1 << 5 は括弧ではない
        const bool aligned = tokens[k] == "__align__" || tokens[k] == "alignas";
        if (aligned) {
            const size_t after = afterPair(tokens, skipBlanks(k + 1));
            align = text(skipBlanks(k + 1), after);
            k = after - 1;
        } else if (tokens[k] == "," && depth + angles == 0) declarators.emplace_back();
        else declarators.back().push_back(isBlank(tokens[k]) ? " " : tokens[k]);
    }
    std::string all;
    for (auto& d : declarators) {
        while (!d.empty() && d.back() == " ") d.pop_back();
        size_t name = d.size();  // 後ろに並ぶ [大きさ] の前
        for (int depth = 0; name > 0 && (depth != 0 || !isWord(d[name - 1][0]));) depth += nesting(d[--name], "]", "[");
        std::string before, size;
        for (size_t k = 0; k + 1 < name; k++) before += d[k];
        for (size_t k = name; k < d.size(); k++) size += d[k];
        if (&d == &declarators[0]) type += before;
        if (name == 0 || type.find_first_not_of(' ') == std::string::npos) fail(i, "__shared__ の宣言が読めない");
        const std::string alias = "cpu_type_" + d[name - 1];
        all += (all.empty() ? "" : "; ") + ("typedef " + type + " " + alias + size + "; CPU_SHARED(" + d[name - 1] +
                                            ", " + (align.empty() ? "alignof(" + alias + ")" : align) + ")");
    }
    return replaceStatement(i, end, all);
}

// __device__ T x;
static size_t rewriteVariable(size_t i) {
    size_t name = i, end = i + 1;  // 変数の名前は、初めの記号の前の語
    for (; end + 1 < tokens.size() && !strchr("=[{;(<", tokens[end][0]); end++)
        if (isWord(tokens[end][0])) name = end;
    if (name == i || !strchr("=[{;", tokens[end][0])) return i;  // 関数
    end = statementEnd(end);
    out.insert(out.end(), tokens.begin() + i + 1, tokens.begin() + end);
    out.push_back("; static ::cpu::Variable cpu_variable_" + tokens[name] + "(" + tokens[name] + ", " +
                  quoted(tokens[name]) + ", {__FILE__, __LINE__});");
    return end;
}

int main(int argc, char** argv) {
    bool coroutines = false;
    for (; argc > 1 && argv[1][0] == '-'; argc--, argv++) {
        tool |= !strcmp(argv[1], "--tool");
        coroutines |= !strcmp(argv[1], "--coroutines");
    }
    if (argc != 2 && argc != 3)
        return fprintf(stderr, "使い方: rewrite [--tool] [--coroutines] ファイル.cu [節のフォルダ/] > ファイル.cpp\n"),
               2;
    path = argv[1];
    if (argc == 3) section = argv[2];
    std::string s;
    std::set<std::string> seen;
    if (!readFile(path, s, seen)) return fprintf(stderr, "%s が読めない\n", path), 1;
    for (size_t i = 0; i < s.size(); i += tokens.back().size()) tokens.push_back(s.substr(i, tokenLength(s, i)));
    if (coroutines) makeCoroutines(tokens, fail);
    for (size_t i = 0; i < tokens.size(); i++) {
        out.push_back(tokens[i]);
        countBrace(i);
        if (tokens[i] == "<<<") i = rewriteLaunch(i);
        else if (tokens[i] == "extern") i = rewriteDynamicShared(i);
        else if (tokens[i] == "__shared__") i = rewriteShared(i);
        else if (tokens[i] == "__device__" && tool) i = rewriteVariable(i);
    }
    for (auto& t : out) fputs(t.c_str(), stdout);
    return 0;
}
