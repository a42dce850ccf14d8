// bytes.cpp: 要素の数と、バイト数の取り違え。nvcc は何も言わない。
#include <map>

#include "rewrite.h"

namespace {
#define WIDE "int|float|double|long|short|unsigned|size_t|float2|float4|int4"
const Pattern kWideSize = "sizeof ( " WIDE, kCount = "W * sizeof ( " WIDE " ) !*",
              kSizeFirst = "sizeof ( " WIDE " ) * W !*";
const Pattern kPointer = WIDE " *|*";

// 1 バイトより大きい型の要素の数。n * sizeof(int) の n。ほかの形なら空
std::string countIn(const Source& s, const Declarator& d) {
    if (!s.match(d.begin, kCount).empty()) return s[d.begin];
    const auto at = s.match(d.begin, kSizeFirst);
    return at.empty() ? "" : s[at[5]];
}
bool isWide(const Source& s, const Declarator& d) {
    for (size_t k = d.begin; k < d.end; k++)
        if (!s.match(k, kWideSize).empty()) return true;
    return false;
}
bool changes(const Source& s, size_t from, size_t to, const std::string& n) {  // n = …、n *= …
    static const Pattern assigned = "W =|+=|-=|*=|/=";
    for (; from < to; from++)
        if (s[from] == n && !s.match(from, assigned).empty()) return true;
    return false;
}
bool isPointer(const Source& s, const Scope* f, size_t to, const std::string& name) {  // int* name、int *a, *name
    for (size_t k = s.find(f->head, to, name); k < to; k = s.find(k + 1, to, name)) {
        const size_t star = s.previous(k), type = s.previous(star);
        if (s[star] == "*" && !(s.match(type, kPointer).empty() && s.match(s.tokens[k].statement, kPointer).empty()))
            return true;
    }
    return false;
}
}  // namespace

void warnOfBytes(const Source& s) {
    static const std::set<std::string> sets = {"cudaMemset", "cudaMemsetAsync", "memset"},
                                       copies = {"cudaMemcpy", "cudaMemcpyAsync"};
    struct Size {
        std::string n;
        size_t at;
        const Scope* f;
    };
    std::map<std::string, Size> sizes;  // cudaMalloc したもの
    for (size_t i = 0; i < s.size(); i++) {
        const Scope* const f = s.function(i);
        const bool set = sets.count(s[i]), copy = copies.count(s[i]);
        if (!f || s.tokens[i].inDefine || s[s.next(i)] != "(") continue;
        if (!set && !copy && s[i] != "free" && s[i] != "cudaMalloc" && s[i] != "cudaMallocManaged") continue;
        const auto a = s.declarators(s.next(i) + 1, s.close(s.next(i)));
        const auto text = [&](size_t k) { return s.text(a[k].begin, a[k].end); };
        static const Pattern cast = "( void * * ) W ,";
        if (!set && !copy && !s.match(a[0].begin, cast).empty() && isPointer(s, f, i, s[s.previous(a[0].end)]))
            s.warn(i, s[i] + " の 1 つ目には、ポインタの変数のアドレスを渡す: (void**)& と、& を付ける");
        if (s[i] == "free" && sizes.count(text(0)) && sizes[text(0)].f == f && !changes(s, f->open, i, text(0)))
            s.warn(i, "cudaMalloc した " + text(0) + " は、free ではなく cudaFree で返す");
        if (!set && !copy && a.size() > 1) sizes[s[s.previous(a[0].end)]] = {countIn(s, a[1]), i, f};
        if ((!set && !copy) || a.size() < 3) continue;
        const std::string value = text(1), bytes = text(2);
        if (set && (value.size() == 1 || value[1] == '.') && value >= "1" && value < ":" &&
            (isWide(s, a[2]) || isPointer(s, f, i, text(0))))
            s.warn(i, s[i] + " は、1 バイトずつ " + value + " にする: 要素は " + value +
                          " にならない。0 でない値は、カーネルか、写すことで入れる");
        for (int k = 0; k < 2; k++) {
            if (bytes == "sizeof(" + text(k) + ")" && isPointer(s, f, i, text(k)))
                s.warn(i, bytes + " はポインタの大きさである: 要素の数 * sizeof(型) と書く");
            const auto found = sizes.find(text(k));
            if (bytes.empty() || found == sizes.end() || found->second.n != bytes || found->second.f != f) continue;
            if (changes(s, found->second.at, i, bytes)) continue;
            s.warn(i, s[i] + " に渡すのはバイト数である: " + bytes + " は要素の数なので、" + bytes +
                          " * sizeof(型) と書く (" + std::to_string(s.tokens[found->second.at].line) +
                          " 行目では、そう確保した)");
            break;
        }
    }
}
