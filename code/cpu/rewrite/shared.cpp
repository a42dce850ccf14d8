// shared.cpp: 共有メモリの宣言。code/cpu/include/cpu/shared.h のマクロにする。
//   __shared__ float smem[256], *p;    →  typedef float cpu_type_smem[256]; CPU_SHARED(smem, 揃え方);
//                                         typedef float *cpu_type_p; CPU_SHARED(p, 揃え方);
//   extern __shared__ float smem[];    →  typedef float cpu_type_smem; CPU_DYNAMIC_SHARED(cpu_type_smem, smem);
// 関数の外の静的なものと、#define の中のものは、language.h の __shared__ というマクロのまま残す。
#include <map>

#include "rewrite.h"

namespace {
struct Declaration {
    size_t begin, end;  // ; まで
    bool isExtern = false;
    std::string type, align;
    std::vector<Declarator> declarators;
};
}  // namespace

static Declaration parse(Source& s, size_t shared) {
    Declaration d;
    d.begin = s.tokens[shared].statement;
    d.end = s.statementEnd(shared);
    size_t first = s.size();  // 型の始まり
    for (size_t k = d.begin; k < d.end; k++) {
        if (s.skipped(k)) continue;
        if (s[k] == "extern") d.isExtern = true;
        if (isAlignment(s[k])) {
            const size_t open = s.next(k), close = s.close(open);
            d.align = s[k] == "__attribute__" ? s.text(s.next(s.next(s.next(open))), s.previous(close))
                                              : s.text(open + 1, close);
            s.replace(k, close + 1, "");
            k = close;
        } else if (s[k] == "extern" || s[k] == "static" || s[k] == "__shared__") s.replace(k, k + 1, "");
        else {
            if (first == s.size()) first = k;
            if (s[k] == "[" && s.word(s.next(s.close(k))) && !isAlignment(s[s.next(s.close(k))]))
                s.fail(k, kTypes.count(s[s.previous(k)]) ? "配列の大きさは、名前の後ろに書く: 型 名前[大きさ];"
                                                         : "文の終わりの ; がない");
            if (s[k] == "(" || s[k] == "[" || s[k] == "{") k = s.close(k);
        }
    }
    for (auto& x : d.declarators = s.declarators(std::min(first, d.end), d.end)) {
        if (x.name == x.end) s.fail(shared, "__shared__ の宣言が読めない: 型 名前[大きさ]; の形で書く");
        if (d.type.empty()) {  // 型は、名前の前の * や & や ( の手前まで
            x.begin = x.name;
            for (size_t k = s.previous(x.name); k >= first && k < x.name; k = s.previous(k)) {
                if (s[k] != "*" && s[k] != "&" && s[k] != "(" && s[k] != "const" && s[k] != "__restrict__") break;
                x.begin = k;
            }
            d.type = s.text(first, x.begin);
        }
        size_t end = s.next(x.name);
        while (s[end] == "[" || s[end] == ")") end = s.next(s[end] == ")" ? end : s.close(end));
        if (end < x.end)
            s.fail(x.name, "共有メモリの変数には初期値を書けない: 1 つのスレッドが代入し、__syncthreads() で待つ");
    }
    if (d.type.empty()) s.fail(shared, "__shared__ の宣言に型がない: 型 名前[大きさ]; の形で書く");
    return d;
}

// extern __shared__ T x[];
static std::string dynamic(const Source& s, const Declaration& d, bool inFunction) {
    const auto& x = d.declarators[0];
    const size_t open = s.next(x.name);
    if (d.declarators.size() != 1 || s[open] != "[" || s.next(open) != s.close(open))
        s.fail(x.name, "動的共有メモリは extern __shared__ 型 名前[]; の形で宣言する");
    const std::string name = s[x.name], alias = "cpu_type_" + name;
    return "typedef " + d.type + " " + alias + s.text(s.next(s.close(open)), x.end) +
           (inFunction ? "; CPU_DYNAMIC_SHARED(" : "; CPU_FILE_DYNAMIC_SHARED(") + alias + ", " + name + ")";
}

static std::string fixed(const Source& s, const Declaration& d) {
    std::string all;
    for (auto& x : d.declarators) {
        const std::string name = s[x.name], alias = "cpu_type_" + name;
        all += (all.empty() ? "typedef " : "; typedef ") + d.type + " " + s.text(x.begin, x.name) + alias +
               s.text(x.name + 1, x.end) + "; CPU_SHARED(" + name + ", " +
               (d.align.empty() ? "alignof(" + alias + ")" : d.align) + ")";
    }
    return all;
}

void rewriteShared(Source& s) {
    std::map<const Scope*, std::string> dynamics;  // 関数の、動的共有メモリの名前
    std::map<std::string, std::string> types;      // その型
    for (size_t i = 0; i < s.size(); i++) {
        const Token& t = s.tokens[i];
        if (t.kind != Token::word || t.text != "__shared__" || t.inDefine || s.statementEnd(i) == s.size()) continue;
        const bool inFunction = s.function(i) != nullptr;
        if (!inFunction && !s.has(t.statement, s.statementEnd(i), "extern")) {
            for (size_t k = t.statement; k < i; k++)
                if (s[k] == "static") s.replace(k, k + 1, "");  // マクロにも static がある
            continue;
        }
        Declaration d = parse(s, i);
        const size_t open = s.next(d.declarators[0].name);
        if (inFunction && d.isExtern && s[open] == "[" && s.next(open) != s.close(open)) {
            s.warn(i, "大きさを書いた extern __shared__ は、静的な配列である: 起動で頼む大きさにするなら [] と書く");
            d.isExtern = false;
        }
        if (d.isExtern && inFunction) {
            const std::string name = s[d.declarators[0].name];
            const std::string type = s[s.previous(d.declarators[0].name)],
                              &first = types.insert({name, type}).first->second;
            if (kTypes.count(type) && kTypes.count(first) && type != first)
                s.fail(i, "extern __shared__ の " + name + " には、もう別の型がある: カーネルごとに別の名前にする");
            const auto known = dynamics.insert({s.function(i), name});
            if (!known.second && known.first->second != name)
                s.warn(i, name + " は " + known.first->second +
                              " と同じ所から始まる: extern __shared__ は 1 つにし、先を指すポインタで分ける");
        }
        // 関数の外のものは、配列でなく、ポインタになるものなので、型を決めずに渡す所では、ポインタにする
        for (size_t k = d.end; d.isExtern && !inFunction && k < s.size(); k++)
            if (s[k] == s[d.declarators[0].name] && s[k - 1] == "(" && s[k + 1] == ")" && s.function(k))
                s.tokens[k].text += " + 0";
        if (d.isExtern || inFunction) s.replace(d.begin, d.end, d.isExtern ? dynamic(s, d, inFunction) : fixed(s, d));
        i = d.end;
    }
}
