// bytes.cpp: 要素の数と、バイト数の取り違え。nvcc は何も言わない。
#include <map>
#include <set>

#include "rewrite.h"

namespace {
using Words = std::set<std::string>;
const Words kWide = {"int", "float", "double", "long", "short", "unsigned", "size_t", "float2", "float4", "int4"};

using Range = std::pair<size_t, size_t>;
std::vector<Range> arguments(const Source& s, size_t call) {  // 関数の名前の後の ( ) の中
    std::vector<Range> all;
    const size_t open = s.next(call);
    if (open >= s.size() || s[open] != "(" || s.close(open) >= s.size()) return all;
    size_t from = open + 1;
    for (size_t comma : declarators(s, from, s.close(open))) {
        while (from < comma && s.skipped(from)) from++;
        all.push_back({from, comma});
        from = comma + 1;
    }
    return all;
}
// 1 バイトより大きい型の sizeof がある
bool isWide(const Source& s, Range r) {
    bool wide = false;
    for (size_t k = r.first; k < r.second; k++) wide = wide || kWide.count(s[k]);
    return wide && s.has(r.first, r.second, "sizeof") && !s.has(r.first, r.second, "char");
}
// n * sizeof(int) か sizeof(int) * n の n。ほかの形なら空
std::string countIn(const Source& s, Range r) {
    std::string n;
    for (size_t k = r.first; k < r.second; k++) {
        if (s.skipped(k) || s[k] == "*" || s[k] == "(" || s[k] == ")" || s[k] == "sizeof" || kWide.count(s[k]))
            continue;
        if (s.tokens[k].kind != Token::word || !n.empty()) return "";
        n = s[k];
    }
    return isWide(s, r) ? n : "";
}
bool changes(const Source& s, size_t from, size_t to, const std::string& n) {  // n = …、n *= …
    for (; from < to; from++)
        if (s[from] == n && (s[s.next(from)] == "=" || s[s.next(s.next(from))] == "=")) return true;
    return false;
}
bool isPointer(const Source& s, const Scope* f, size_t to, const std::string& name) {  // int* name
    for (size_t k = f->head; k < to; k++) {
        const size_t star = s[k] == name ? s.previous(k) : s.size();
        if (star < to && s[star] == "*" && (kWide.count(s[s.previous(star)]) || kWide.count(s[s.tokens[k].statement])))
            return true;
    }
    return false;
}
}  // namespace

void warnOfBytes(const Source& s) {
    struct Size {
        std::string n;
        size_t at;
        const Scope* f;
    };
    std::map<std::string, Size> sizes;  // cudaMalloc したもの
    for (size_t i = 0; i < s.size(); i++) {
        if (s.tokens[i].kind != Token::word || s.tokens[i].inDefine || !s.function(i)) continue;
        const bool set = s[i] == "cudaMemset" || s[i] == "cudaMemsetAsync" || s[i] == "memset";
        const bool copy = s[i] == "cudaMemcpy" || s[i] == "cudaMemcpyAsync";
        const bool free = s[i] == "free";
        if (!set && !copy && !free && s[i] != "cudaMalloc" && s[i] != "cudaMallocManaged") continue;
        const auto a = arguments(s, i);
        const std::string freed = free && a.size() == 1 ? s[a[0].first] : "";
        if (sizes.count(freed) && sizes[freed].f == s.function(i) && !changes(s, s.function(i)->open, i, freed))
            s.warn(i, "cudaMalloc した " + freed + " は、free ではなく cudaFree で返す");
        if (!set && !copy) {
            if (a.size() > 1) sizes[s[s.previous(a[0].second)]] = {countIn(s, a[1]), i, s.function(i)};
            continue;
        }
        if (a.size() < 3) continue;
        const std::string value = s.text(a[1].first, a[1].second), bytes = s.text(a[2].first, a[2].second);
        if (set && (value.size() == 1 || value[1] == '.') && value >= "1" && value < ":" && isWide(s, a[2]))
            s.warn(i, s[i] + " は、1 バイトずつ " + value + " にする: 要素は " + value +
                          " にならない。0 でない値は、カーネルか、写すことで入れる");
        for (int k = 0; k < 2; k++) {
            const std::string p = s.text(a[k].first, a[k].second);
            if (bytes == "sizeof(" + p + ")" && isPointer(s, s.function(i), i, p))
                s.warn(i, bytes + " はポインタの大きさである: 要素の数 * sizeof(型) と書く");
            const auto found = sizes.find(s.text(a[k].first, a[k].second));
            if (found == sizes.end() || found->second.n != bytes || bytes.empty()) continue;
            if (found->second.f != s.function(i) || changes(s, found->second.at, i, bytes)) continue;
            s.warn(i, s[i] + " に渡すのはバイト数である: " + bytes + " は要素の数なので、" + bytes +
                          " * sizeof(型) と書く (" + std::to_string(s.tokens[found->second.at].line) +
                          " 行目では、そう確保した)");
            break;
        }
    }
}
