// region.h: カーネルの領域に書けるもの。括弧の対応を確かめ、1 つずつの宣言に分ける
#pragma once
#include <map>

#include "source.h"

struct Region {
    Source s;
    std::map<string, int> names;  // ここで宣言した名前と、その行

    Region(const string& path, const Lines& lines) : s(scan(lines, path)) {
        for (const bool closes : {true, false})
            for (size_t i = 1; i < s.size(); i++) {
                const string these = closes ? ")]}" : "([{", others = closes ? "([{" : ")]}";
                const size_t k = s[i].size() == 1 ? these.find(s[i]) : string::npos;
                if (k != string::npos && s[closes ? s.open(i) : s.close(i)] != others.substr(k, 1))
                    s.fail(i, "この " + s[i] + " に対応する " + others[k] + " がない");
            }
        for (size_t i = s.next(0); i < s.size();) i = declaration(i);
    }
    [[noreturn]] void refuse(size_t i) const {
        s.fail(
            i,
            "[start:kernel] と [end:kernel] の間に書けるのは、__global__ か __device__ の関数と、型、定数 (constexpr)、"
            "初期値が数の __device__ 変数だけ");
    }
    size_t after(size_t i) const {  // 次。括弧なら、その組の次
        return s.next(s[i] == "(" || s[i] == "[" || s[i] == "{" ? s.close(i) : i);
    }
    size_t until(size_t i, const string& any) const {  // 括弧の外の、any のどれかまで
        const size_t first = i;
        while (i < s.size() && (s[i].size() > 1 || any.find(s[i]) == string::npos)) i = after(i);
        if (i == s.size()) refuse(first);
        return i;
    }
    // 関数の ( か。そうでなければ、揃え方などの印である
    bool opensParameters(size_t i) const {
        static const std::set<string> marks{"__launch_bounds__", "__align__", "alignas", "decltype", "noexcept"};
        const size_t before = s.previous(i);
        return s[i] == "(" && (s.word(before) ? !marks.count(s[before]) : s[before] != ")");
    }
    bool calls(size_t from, size_t to) const {  // 初期値が、関数などを呼ぶか
        for (size_t i = from; i < to; i = s.next(i))
            if (s[i] == "[" || s.tokens[i].kind == Token::string ||
                (std::isalpha((unsigned char)s[i][0]) && string("({<").find(s[s.next(i)]) != string::npos))
                return true;
        return false;
    }
    // i から始まる 1 つの宣言の、次
    size_t declaration(size_t i) {
        static const std::set<string> whole{"static_assert", "using", "typedef"},
            types{"struct", "class", "union", "enum"};
        static const std::set<string> marks{"__device__", "__global__", "__constant__", "__shared__", "constexpr"};
        const size_t first = i;
        while (s[i] == "template") i = s.next(s.close(s.next(i)));
        if (i == s.size()) refuse(first);
        if (s[i] == ";") return s.next(i);
        if (whole.count(s[i])) return s.next(until(i, ";"));
        if (s[i] == "namespace") {
            const size_t open = until(i, "{;"), close = s.close(open);
            for (size_t k = s.next(open); k < close;) k = declaration(k);
            return s.next(close);
        }
        if (types.count(s[i])) {
            const size_t open = until(i, "{;"), end = s[open] == ";" ? open : s.next(s.close(open));
            if (end == open ? end != s.next(s.next(i)) : s[end] != ";") refuse(first);
            for (size_t k = s.next(i); k < open && s[k] != ":"; k = after(k))  // struct __align__(8) 名前 : 元の型 {
                if (s.word(k)) names[s[k]] = s.tokens[k].line;
            return s.next(end);
        }
        const size_t end = until(i, ";{=");
        size_t open = 0, name = i;
        bool device = false, constant = false, fixed = false;
        for (size_t k = i; k < end; k = after(k)) {
            if (s.tokens[k].kind == Token::string) refuse(first);
            device = device || marks.count(s[k]), fixed = fixed || s[k] == "constexpr",
            constant = constant || s[k] == "const";
            if (!open && opensParameters(k)) open = k, name = s.previous(k);
            if (!open && s.word(k)) name = k;
        }
        const bool function = s[end] == "{" && open;
        if (!device && (function || !constant)) refuse(first);
        names[s[name]] = s.tokens[name].line;
        if (function) return s.next(s.close(end));
        const size_t stop = until(end, ";");
        for (size_t k = s.next(open); open && k < s.close(open); k = s.next(k))  // 関数の宣言か、int x(f()); か
            if (s.tokens[k].kind == Token::string || (s[k] == "(" && !strchr("*&", s[s.next(k)][0]))) refuse(first);
        if (!fixed && calls(end, stop)) refuse(first);
        return s.next(stop);
    }
};
