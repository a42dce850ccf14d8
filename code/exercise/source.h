// source.h: 印の付いた .cu を読み、字句に分ける
#pragma once
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

using std::string;
struct Line {
    string text;
    size_t number;
};
using Lines = std::vector<Line>;
struct Token {
    string s;
    size_t line;
    bool first;  // 行の初め
};
using Tokens = std::vector<Token>;

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

// ---------------------------------------------------------------- 字句
inline bool isWord(char c) { return std::isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

// 注釈と空白を除いて字句に分ける。文字列は "" の 1 つの字句にする
inline Tokens tokenize(const Lines& lines, const string& path) {
    Tokens tokens;
    size_t comment = 0;   // /* の行
    bool define = false;  // いくつもの行にわたる #define の中
    for (auto& [s, n] : lines) {
        bool first = true;
        const size_t sharp = s.find_first_not_of(" \t");
        if (!define && sharp != string::npos && s[sharp] == '#')
            define = s.compare(s.find_first_not_of(" \t", sharp + 1), 6, "define") == 0;
        const bool continues = !s.empty() && s.back() == '\\';
        if (continues && !define) fail(path, n, "#define のほかの行の終わりに \\ は書けない: 1 行にまとめる");
        auto add = [&](const string& token) { tokens.push_back({token, n, first}), first = false; };
        for (size_t i = 0; i < s.size() - continues;) {
            if (comment) {
                const size_t end = s.find("*/", i);
                if (end != string::npos) comment = 0;
                i = end == string::npos ? s.size() : end + 2;
            } else if (s.compare(i, 2, "//") == 0) break;
            else if (s.compare(i, 2, "/*") == 0) comment = n, i += 2;
            else if (std::isspace((unsigned char)s[i])) i++;
            else if (s[i] == '"' || s[i] == '\'') {
                if (i > 0 && s[i - 1] == 'R') fail(path, n, "R\"...\" の文字列は使えない");
                size_t k = i + 1;
                while (k < s.size() && s[k] != s[i]) k += s[k] == '\\' ? 2 : 1;
                add(string(2, s[i]));
                i = k + 1;
            } else if (isWord(s[i])) {
                const bool number = std::isdigit((unsigned char)s[i]);
                size_t k = i + 1;
                while (k < s.size() && (isWord(s[k]) || (number && (s[k] == '.' || s[k] == '\'')))) k++;
                add(s.substr(i, k - i));
                i = k;
            } else {
                for (const char* two : {"<%", "%>", "<:", ":>", "%:", "??"})
                    if (s.compare(i, 2, two) == 0) fail(path, n, string(two) + " という書き方は使えない");
                add(string(1, s[i++]));
            }
        }
        define &= continues;
    }
    if (comment) fail(path, comment, "/* に対応する */ がない");
    return tokens;
}
// # の行を除く
inline Tokens withoutDirectives(const Tokens& tokens) {
    Tokens rest;
    for (size_t k = 0; k < tokens.size(); k++) {
        const size_t line = tokens[k].line;
        if (!tokens[k].first || tokens[k].s != "#") rest.push_back(tokens[k]);
        else
            while (k + 1 < tokens.size() && tokens[k + 1].line == line) k++;
    }
    return rest;
}

// ---------------------------------------------------------------- 1 つの .cu
struct Source {
    string path;
    Lines before, region, after;  // 印の行は before の終わりと、after の初め
    explicit Source(const string& path) : path(path) {
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
    Tokens host() const {  // カーネルの外
        Tokens all = tokenize(before, path), rest = tokenize(after, path);
        all.insert(all.end(), rest.begin(), rest.end());
        return all;
    }
};
