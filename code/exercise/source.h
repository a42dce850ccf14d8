// source.h: 印の付いた .cu を読み、字句に分ける。C++ の字句は、書き換えるもの (code/cpu/rewrite) と同じ道具で読む
#pragma once
#include "../cpu/rewrite/rewrite.h"
#include "../cpu/rewrite/tokens.cpp"

#include "../cpu/rewrite/scopes.cpp"

using std::string;
struct Line {
    string text;
    size_t number;
};
using Lines = std::vector<Line>;
[[noreturn]] inline void fail(const string& file, size_t line, const string& sentence) {
    fprintf(stderr, "%s:%zu: %s\n", file.c_str(), line, sentence.c_str());
    exit(1);
}
inline Lines read(const string& path) {
    std::ifstream in(path);
    if (!in) fail(path, 1, "読めない");
    Lines lines;
    for (string s; std::getline(in, s);) {
        while (!s.empty() && std::isspace((unsigned char)s.back())) s.pop_back();
        lines.push_back({s, lines.size() + 1});
    }
    return lines;
}

// #line で元の行を伝える、C++ の文
inline string text(const Lines& lines, const string& path) {
    string all;
    for (size_t k = 0; k < lines.size(); k++) {
        if (k == 0 || lines[k].number != lines[k - 1].number + 1)
            all += "#line " + std::to_string(lines[k].number) + " \"" + path + "\"\n";
        all += lines[k].text + "\n";
    }
    return all;
}
// 字句に分ける。見えるものと違うものになる書き方は、断る
inline Source scan(const Lines& lines, const string& path) {
    const Source s(path, text(lines, path));
    string symbols;  // 離れずに並んだ記号
    for (size_t i = 0; i < s.size(); i++) {
        const Token& t = s.tokens[i];
        if (!t.inDefine && t.text.find("\\\n") != string::npos)
            s.fail(i, "#define のほかの行の終わりに \\ は書けない: 1 行にまとめる");
        if (t.text.compare(0, 2, "/*") == 0 && (t.text.size() < 4 || t.text.substr(t.text.size() - 2) != "*/"))
            s.fail(i, "/* に対応する */ がない");
        if (t.kind == Token::string && t.text[t.text.find_first_of("R\"'")] == 'R')
            s.fail(i, "R\"...\" の文字列は使えない");
        symbols = t.kind == Token::symbol ? symbols + t.text : "";
        for (const char* two : {"<%", "%>", "<:", ":>", "%:", "??"})
            if (symbols.find(two) != string::npos) s.fail(i, string(two) + " という書き方は使えない");
    }
    return s;
}
// 空白と注釈でない字句。# の行は、中の字句に分ける
inline std::vector<Token> words(const Source& s) {
    std::vector<Token> all;
    for (auto& t : s.tokens)
        if (t.kind == Token::directive && t.text.compare(0, 5, "#line"))
            for (Token in : words(Source("", t.text.substr(1)))) in.line += t.line - 1, all.push_back(in);
        else if (t.kind != Token::blank && t.kind != Token::directive) all.push_back(t);
    return all;
}
// 足してよい #include なら、そのヘッダ: カーネルの中で使えるものだけ。違えば空
inline string usableHeader(const string& line) {
    static const std::set<string> pure{"algorithm", "cassert",  "assert.h",   "cfloat",      "float.h",
                                       "climits",   "limits.h", "cmath",      "math.h",      "cstddef",
                                       "cstdint",   "stdint.h", "cstdio",     "stdio.h",     "cstring",
                                       "limits",    "numeric",  "functional", "type_traits", "utility"};
    char name[100];
    int end = 0;
    if (sscanf(line.c_str(), " # include <%99[^>]>%n", name, &end) != 1 || !end) return "";
    const string header = name;
    return pure.count(header) || header.compare(0, 4, "cuda") == 0 || header.compare(0, 18, "cooperative_groups") == 0
               ? header
               : "";
}
inline Lines withoutHeaders(Lines lines) {  // 足してよい #include の行を、空にする
    for (auto& l : lines)
        if (!usableHeader(l.text).empty()) l.text.clear();
    return lines;
}
// ---------------------------------------------------------------- 1 つの .cu
struct Listing {
    string path;
    Lines before, region, after;  // 印の行は before の終わりと、after の初め
    explicit Listing(const string& path) : path(path) {
        const Lines lines = read(path);
        const size_t from = marker(lines, "start:kernel"), to = marker(lines, "end:kernel");
        if (from > to) fail(path, to, "// --8<-- [end:kernel] が [start:kernel] より前にある");
        before.assign(lines.begin(), lines.begin() + from);
        region.assign(lines.begin() + from, lines.begin() + to - 1);
        after.assign(lines.begin() + to - 1, lines.end());
    }
    size_t marker(const Lines& lines, const string& name) const {  // 印の行の番号
        size_t found = 0;
        for (auto& [s, n] : lines) {
            if (s.find("--8<-- [" + name + "]") == string::npos) continue;
            if (found) fail(path, n, "// --8<-- [" + name + "] の行が 2 つある: 1 つにする");
            found = n;
        }
        if (!found)
            fail(path, 1, "// --8<-- [" + name + "] の行がない: 元に戻すか、make exercise に RESET=1 を付けて作り直す");
        return found;
    }
    std::vector<Token> host() const {  // カーネルの外。足してよい #include は除き、カーネルのあった所に ; を置く
        Lines all = withoutHeaders(before);
        const Lines rest = withoutHeaders(after);
        all.back().text = ";";
        all.insert(all.end(), rest.begin(), rest.end());
        return words(Source(path, text(all, path)));
    }
};

// 元のリストの頭の「// 使わない: 語」があるか、「// 使う: 語」がなければ、断る
inline void refuseAvoided(const Source& mine, const Listing& original) {
    for (auto& l : original.before) {
        char how[20], word[100];
        if (sscanf(l.text.c_str(), "// %19[^:]: %99s", how, word) != 2) continue;
        // 使わない記号は、ほかの記号とつながったもの (%=) も。使う記号は、前に値のあるもの (& なら、アドレスではない)
        const auto is = [&](size_t i) {
            if (mine.tokens[i].kind != Token::symbol) return mine[i] == word;
            const size_t k = mine.previous(i);
            const bool operates = mine.tokens[k].kind == Token::number || (mine.word(k) && !kTypes.count(mine[k])) ||
                                  mine[k] == ")" || mine[k] == "]";
            if (how == string("使わない")) return mine[i].find(word) != string::npos;
            return mine[i] == string(word) + "=" || (operates && mine[i] == word);
        };
        size_t i = mine.next(0);
        while (i < mine.size() && !is(i)) i = mine.next(i);
        if (how == string("使わない") && i < mine.size()) mine.fail(i, string("この課題では ") + word + " を使わない");
        if (how == string("使う") && i == mine.size())
            mine.fail(std::min(mine.next(0), mine.size() - 1), string("この課題では ") + word + " を使う");
    }
}
