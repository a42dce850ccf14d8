// source.h: 印の付いた .cu を読み、字句に分ける。C++ の字句は、書き換えるもの (code/cpu/rewrite) と同じ道具で読む
#pragma once
#include "../cpu/rewrite/tokens.cpp"

#include "../cpu/rewrite/scopes.cpp"

using std::string;
struct Line {
    string text;
    size_t number;
};
using Lines = std::vector<Line>;
struct Piece {  // 注釈でも空白でもない字句。記号は 1 文字、文字列は中身のない "" になる。行の初めの # は "# " になる
    string s;
    size_t line;
    bool directive;  // # の行の中
};
using Pieces = std::vector<Piece>;

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
// text は lines[row] から。# の行の中も、字句に分ける
inline void pieces(const string& text, const Lines& lines, size_t row, const string& path, bool directive,
                   Pieces& out) {
    string before;  // すぐ前の、離れていない文字
    for (auto& t : Source(path, text).tokens) {
        const size_t line = lines[std::min(row, lines.size() - 1)].number, joined = t.text.find("\\\n");
        auto add = [&](const string& s) { out.push_back({s, line, directive || t.inDefine}); };
        if (joined != string::npos && !t.inDefine)
            fail(path, line + std::count(t.text.begin(), t.text.begin() + joined, '\n'),
                 "#define のほかの行の終わりに \\ は書けない: 1 行にまとめる");
        if (t.kind == Token::blank) {
            if (t.text.compare(0, 2, "/*") == 0 && (t.text.size() < 4 || t.text.substr(t.text.size() - 2) != "*/"))
                fail(path, line, "/* に対応する */ がない");
        } else if (t.kind == Token::directive) {
            out.push_back({"# ", line, true});
            pieces(t.text.substr(1), lines, row, path, true, out);
        } else if (t.kind == Token::string) {
            const size_t quote = t.text.find_first_of("\"'");
            if (quote > 0 && t.text[quote - 1] == 'R') fail(path, line, "R\"...\" の文字列は使えない");
            add(string(2, t.text[quote]));
        } else if (t.kind == Token::symbol)
            for (char c : t.text) {
                for (const char* two : {"<%", "%>", "<:", ":>", "%:", "??"})
                    if (before + c == two) fail(path, line, string(two) + " という書き方は使えない");
                add(before = string(1, c));
            }
        else add(t.text);
        if (t.kind != Token::symbol) before.clear();
        row += std::count(t.text.begin(), t.text.end(), '\n');
    }
}
inline string text(const Lines& lines) {
    string all;
    for (auto& l : lines) all += l.text + "\n";
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
inline Pieces tokenize(const Lines& lines, const string& path) {
    Pieces out;
    if (!lines.empty()) pieces(text(lines), lines, 0, path, false, out);
    return out;
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
    Pieces host() const {  // カーネルの外。足してよい #include は除き、カーネルのあった所に空の字句を置く
        Pieces all = tokenize(withoutHeaders(before), path), rest = tokenize(withoutHeaders(after), path);
        all.push_back({"", before.back().number, false});
        all.insert(all.end(), rest.begin(), rest.end());
        return all;
    }
};

// 元のリストの頭の「// 使わない: 語」があるか、「// 使う: 語」がなければ、断る
inline void refuseAvoided(const Pieces& mine, const string& path, const Listing& original) {
    const string use = "// 使う: ";
    for (auto& l : original.before) {
        bool used = l.text.compare(0, use.size(), use) != 0;
        for (auto& t : mine) {
            if (l.text == "// 使わない: " + t.s) fail(path, t.line, "この課題では " + t.s + " を使わない");
            used = used || l.text == use + t.s;
        }
        if (!used) fail(path, mine.front().line, "この課題では " + l.text.substr(use.size()) + " を使う");
    }
}
