// region.h: カーネルの領域に書けるもの。括弧の対応を確かめ、1 つずつの宣言に分ける
#pragma once
#include <map>
#include <set>

#include "source.h"

struct Region {
    string path;
    Pieces tokens;
    std::vector<size_t> pair;     // 開く括弧に対応する、閉じる括弧
    std::map<string, size_t> names;  // ここで宣言した名前と、その行

    Region(const string& path, const Pieces& all) : path(path), pair(all.size()) {
        std::copy_if(all.begin(), all.end(), std::back_inserter(tokens), [](const Piece& p) { return !p.directive; });
        const string opening = "([{", closing = ")]}";
        std::vector<size_t> open;
        for (size_t k = 0; k < tokens.size(); k++) {
            const size_t begin = opening.find(tokens[k].s), end = closing.find(tokens[k].s);
            if (begin != string::npos) open.push_back(k);
            else if (end != string::npos) {
                if (open.empty() || tokens[open.back()].s[0] != opening[end])
                    fail(path, tokens[k].line, "この " + tokens[k].s + " に対応する " + opening[end] + " がない");
                pair[open.back()] = k;
                open.pop_back();
            }
        }
        if (!open.empty())
            fail(path, tokens[open.back()].line,
                 "この " + tokens[open.back()].s + " に対応する " + closing[opening.find(tokens[open.back()].s)] +
                     " がない");
        for (size_t k = 0; k < tokens.size();) k = declaration(k);
    }
    const string& at(size_t k) const {
        static const string none;
        return k < tokens.size() ? tokens[k].s : none;
    }
    [[noreturn]] void refuse(size_t k) const {
        fail(
            path, tokens[k].line,
            "[start:kernel] と [end:kernel] の間に書けるのは、__global__ か __device__ の関数と、型、定数 (constexpr)、"
            "初期値が数の __device__ 変数だけ");
    }
    size_t until(size_t k, const string& any) const {  // 括弧の外の、any のどれかまで
        const size_t first = k;
        for (; k < tokens.size(); k++) {
            if (any.find(at(k)) != string::npos) return k;
            if (pair[k]) k = pair[k];
        }
        refuse(first);
    }
    // 関数の ( か。そうでなければ、揃え方などの印である
    bool opensParameters(size_t k) const {
        static const std::set<string> marks{"__launch_bounds__", "__align__", "alignas", "decltype", "noexcept"};
        return at(k) == "(" && k > 0 && (isWord(at(k - 1)[0]) ? !marks.count(at(k - 1)) : at(k - 1) != ")");
    }
    bool calls(size_t from, size_t to) const {  // 初期値が、関数などを呼ぶか
        for (size_t k = from; k < to; k++)
            if (at(k) == "[" || at(k) == "\"\"" ||
                (std::isalpha((unsigned char)at(k)[0]) && string("({<").find(at(k + 1)) != string::npos))
                return true;
        return false;
    }
    // k から始まる 1 つの宣言の、次
    size_t declaration(size_t k) {
        const size_t first = k;
        if (at(k) == ";") return k + 1;
        while (at(k) == "template") {
            int depth = 0;
            for (k++; k < tokens.size(); k++) {
                if (at(k) == "(") k = pair[k];
                depth += (at(k) == "<") - (at(k) == ">");
                if (depth == 0) break;
            }
            if (++k >= tokens.size()) refuse(first);
        }
        if (at(k) == "static_assert" || at(k) == "using" || at(k) == "typedef") return until(k, ";") + 1;
        if (at(k) == "namespace") {
            const size_t open = until(k, "{;");
            if (at(open) == ";") return open + 1;
            for (size_t i = open + 1; i < pair[open];) i = declaration(i);
            return pair[open] + 1;
        }
        if (at(k) == "struct" || at(k) == "class" || at(k) == "union" || at(k) == "enum") {
            size_t end = until(k, "{;");
            if (at(end) == ";" ? end != k + 2 : at(pair[end] + 1) != ";") refuse(first);
            while (k + 1 < end && at(k + 1) != ":") {  // struct __align__(8) 名前 : 元の型 {
                k = pair[k + 1] ? pair[k + 1] : k + 1;
                if (isWord(at(k)[0])) names[at(k)] = tokens[k].line;
            }
            return (at(end) == ";" ? end : pair[end] + 1) + 1;
        }
        const size_t end = until(k, ";{=");
        std::set<string> words;
        size_t open = 0, name = k;
        for (; k < end; k = pair[k] ? pair[k] + 1 : k + 1) {
            words.insert(at(k));
            if (!open && opensParameters(k)) open = k, name = k - 1;
            if (!open && isWord(at(k)[0])) name = k;
        }
        const bool device = words.count("__device__") || words.count("__global__") || words.count("__constant__") ||
                            words.count("__shared__") || words.count("constexpr");
        if (words.count("\"\"") || (!device && !words.count("const"))) refuse(first);
        names[at(name)] = tokens[name].line;
        if (at(end) == "{" && open) {  // 関数
            if (!device) refuse(first);
            return pair[end] + 1;
        }
        const size_t stop = until(end, ";");
        for (size_t i = open + 1; open && i < pair[open]; i++)  // 関数の宣言か、int x(f()); か
            if (at(i) == "\"\"" || (at(i) == "(" && at(i + 1) != "*" && at(i + 1) != "&")) refuse(first);
        if (!words.count("constexpr") && calls(end, stop)) refuse(first);
        return stop + 1;
    }
};
