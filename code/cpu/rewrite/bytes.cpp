// bytes.cpp: 要素の数と、バイト数の取り違え。nvcc は何も言わない。
#include <map>

#include "rewrite.h"

namespace {
#define WIDE "int|float|double|long|short|unsigned|size_t|float2|float4|int4"
const Pattern kWide = WIDE " !char", kWideSize = ", .. sizeof ( " WIDE, kPointer = WIDE " *|*", kArray = WIDE " W [",
              kVector = "vector < " WIDE " !char";
// 1 バイトより大きい型の要素の数と、その位置: n * sizeof(int)、sizeof(int) * n、int h[n]、new int[n]、vector<int> v(n)
const std::pair<Pattern, size_t> kCounts[] = {{"W * sizeof ( " WIDE " ) !*", 0},
                                              {"sizeof ( " WIDE " ) * W !*", 5},
                                              {WIDE " W [ W ]", 3},
                                              {"new " WIDE " [ W ]", 3},
                                              {"vector < " WIDE " > W ( W", 6}};

bool changes(const Source& s, size_t from, size_t to, const std::string& n) {  // n = …、n *= …
    static const Pattern assigned = "W =|+=|-=|*=|/=";
    for (; from < to; from++)
        if (s[from] == n && !s.match(from, assigned).empty()) return true;
    return false;
}
enum class Kind { other, array, pointer, vector };
Kind kindOf(const Source& s, const Scope* f, size_t to, const std::string& name) {  // 広い型の name を、どう宣言したか
    for (size_t k = s.find(f->head, to, name); k < to; k = s.find(k + 1, to, name)) {
        const size_t star = s.previous(k), type = s.previous(star), first = s.tokens[k].statement;
        const bool listed = s[type] == "," && !s.match(first, kWide).empty();  // float h[n], *d;
        if (s[star] == "*" && s[s.next(k)] != "[" &&
            (listed || !s.match(type, kPointer).empty() || !s.match(first, kPointer).empty()))
            return Kind::pointer;
        if (!s.match(star, kArray).empty()) return Kind::array;
        if ((s[star] == ">" || s[star] == ",") && !s.match(s.find(first, k, "vector"), kVector).empty())
            return Kind::vector;
    }
    return Kind::other;
}
// to より前で、n を要素の数に使ったか
bool counts(const Source& s, const Scope* f, size_t to, const std::string& n) {
    if (n.find('*') < n.size()) return s.text(f->open, to).find(", " + n + " * sizeof(") + 1;  // rows * cols
    for (size_t k = f->open; k < to; k++)
        for (auto& [count, place] : kCounts) {
            const auto at = s.match(k, count);
            if (!at.empty() && s[at[place]] == n) return !changes(s, k, to, n);
        }
    return false;
}
}  // namespace

void warnOfBytes(const Source& s) {
    static const std::set<std::string> sets = {"cudaMemset", "cudaMemsetAsync", "memset"},
                                       copies = {"cudaMemcpy", "cudaMemcpyAsync"},
                                       makes = {"cudaMalloc", "cudaMallocManaged"};
    std::map<std::string, const Scope*> made;  // cudaMalloc したもの
    for (size_t i = 0; i < s.size(); i++) {
        const Scope* const f = s.function(i);
        const bool set = sets.count(s[i]), make = makes.count(s[i]);
        size_t p = s.next(i);  // free(p)、delete[] p
        while (s[p] == "(" || s[p] == "[" || s[p] == "]") p = s.next(p);
        const auto m = made.find(s[p]);
        if ((s[i] == "free" || s[i] == "delete") && m != made.end() && m->second == f && !changes(s, f->open, i, s[p]))
            s.warn(i, "cudaMalloc した " + s[p] + " は、" + s[i] + " ではなく cudaFree で返す");
        if (!f || s.tokens[i].inDefine || s[s.next(i)] != "(" || (!set && !make && !copies.count(s[i]))) continue;
        const auto a = s.declarators(s.next(i) + 1, s.close(s.next(i)));
        const auto text = [&](size_t k) { return s.text(a[k].begin, a[k].end); };
        static const Pattern cast = "( void * * ) W ,";
        const std::string& to = s[s.previous(a[0].end)];
        if (make && !s.match(a[0].begin, cast).empty() && kindOf(s, f, i, to) == Kind::pointer)
            s.warn(i, s[i] + " の 1 つ目には、ポインタの変数のアドレスを渡す: (void**)& と、& を付ける");
        if (make && a.size() > 1) made[to] = f;
        if (make || a.size() < 3) continue;
        const std::string value = text(1), bytes = text(2);
        if (const auto d = made.find(to); !set && d != made.end() && d->second == f && text(0) == "&" + to)
            s.warn(i, "コピー先は、" + to + " の指す所ではなく、ポインタの変数である: & を消す");
        const bool digit = (value.size() == 1 || value[1] == '.') && value >= "1" && value < ":";
        if (set && (digit || value == "INT_MAX" || value == "INT_MIN" || value == "FLT_MAX" || value == "INFINITY") &&
            (!s.match(a[1].end, kWideSize).empty() || kindOf(s, f, i, s[a[0].begin]) == Kind::pointer))
            s.warn(i, s[i] + " は、1 バイトずつ " + value + " にする: 0 でない値は、カーネルか、写すことで入れる");
        if (set && bytes == "0") s.warn(i, s[i] + " の 2 つ目は入れる値、3 つ目がバイト数である: 順番が逆である");
        for (size_t k = 0; k < 2; k++) {
            const std::string& name = s[a[k].begin];
            const Kind is = kindOf(s, f, i, name);
            const bool count = counts(s, f, i, bytes);
            const size_t first = s.find(f->head, i, name);
            const bool pointer = is >= Kind::pointer || (s[s.previous(first)] == "*" && s[s.next(first)] != "[");
            if (pointer && bytes == "sizeof(" + name + ")")
                s.warn(i, bytes + " はポインタかクラスの大きさである: 要素の数 * sizeof(型) と書く");
            if (is == Kind::other || (!count && (is != Kind::vector || bytes != name + ".size()"))) continue;
            s.warn(i, s[i] + " に渡すのはバイト数: " + bytes + " は要素の数なので、" + bytes + " * sizeof(型) と書く");
            break;
        }
    }
}
