// shared.cpp: 共有メモリの宣言。code/cpu/include/cpu/shared.h のマクロにする。
//   __shared__ float smem[256], *p;    →  typedef float cpu_type_smem[256], *cpu_type_p;
//                                         CPU_SHARED(smem, 揃え方); CPU_SHARED(p, 揃え方);
//   extern __shared__ float smem[];    →  typedef float cpu_type_smem; CPU_DYNAMIC_SHARED(cpu_type_smem, smem);
// 関数の外の静的なものと、#define の中のものは、language.h の __shared__ というマクロのまま残す。
#include <map>

#include "rewrite.h"

// [begin, end) の宣言の、型と名前だけを残す。除いた揃え方を返す
static std::string keepTypes(Source& s, size_t begin, size_t end) {
    static const std::set<std::string> dropped = {"extern", "static", "__shared__"};
    std::string align;
    for (size_t k = begin; k < end; k++) {
        if (isAlignment(s[k])) {
            const size_t open = s.next(k), close = s.close(open);
            align = s[k] == "__attribute__" ? s.text(s.next(s.next(s.next(open))), s.previous(close))
                                            : s.text(open + 1, close);
            s.replace(k, close + 1, "");
        } else if (dropped.count(s[k])) s.replace(k, k + 1, "");
        else if (s[k] == "(" || s[k] == "[" || s[k] == "{") {
            const size_t after = s.next(s.close(k));
            if (s[k] == "[" && s.word(after) && !isAlignment(s[after]))
                s.fail(k, kTypes.count(s[s.previous(k)]) ? "配列の大きさは、名前の後ろに書く: 型 名前[大きさ];"
                                                         : "文の終わりの ; がない");
            k = s.close(k);
        }
    }
    return align;
}

void rewriteShared(Source& s) {
    std::map<const Scope*, std::string> dynamics;  // 関数の、動的共有メモリの名前
    std::map<std::string, std::string> types;      // その型
    for (size_t i = 0; i < s.size(); i++) {
        const size_t begin = s.tokens[i].statement, end = s.statementEnd(i);
        if (!s.word(i) || s[i] != "__shared__" || s.tokens[i].inDefine || end == s.size()) continue;
        const bool inFunction = s.function(i) != nullptr;
        bool isExtern = s.has(begin, end, "extern");
        if (!inFunction && !isExtern) {
            for (size_t k = begin; k < i; k++)
                if (s[k] == "static") s.replace(k, k + 1, "");  // マクロにも static がある
            continue;
        }
        const std::string align = keepTypes(s, begin, end);
        size_t first = begin;  // 型の始まり
        while (first < end && s.skipped(first)) first++;
        const auto all = s.declarators(first, end);
        for (auto& x : all) {
            if (x.name == x.end) s.fail(i, "__shared__ の宣言が読めない: 型 名前[大きさ]; の形で書く");
            size_t after = s.next(x.name);
            while (s[after] == "[" || s[after] == ")") after = s.next(s[after] == ")" ? after : s.close(after));
            if (after < x.end)
                s.fail(x.name, "共有メモリの変数には初期値を書けない: 1 つのスレッドが代入し、__syncthreads() で待つ");
        }
        const size_t x = all[0].name, open = s.next(x), before = s.previous(x);
        if (first == x) s.fail(i, "__shared__ の宣言に型がない: 型 名前[大きさ]; の形で書く");
        const std::string name = s[x];
        const bool sized = s[open] == "[" && s.next(open) != s.close(open);
        if (inFunction && isExtern && sized) {
            s.warn(i, "大きさを書いた extern __shared__ は、静的な配列である: 起動で頼む大きさにするなら [] と書く");
            isExtern = false;
        }
        if (isExtern && inFunction) {
            const std::string &type = s[before], &known = types.insert({name, type}).first->second;
            if (kTypes.count(type) && kTypes.count(known) && type != known)
                s.fail(i, "extern __shared__ の " + name + " には、もう別の型がある: カーネルごとに別の名前にする");
            const auto same = dynamics.insert({s.function(i), name}).first->second;
            if (same != name)
                s.warn(i, name + " は " + same +
                              " と同じ所から始まる: extern __shared__ は 1 つにし、先を指すポインタで分ける");
        }
        if (isExtern && (all.size() != 1 || s[open] != "[" || sized))
            s.fail(x, "動的共有メモリは extern __shared__ 型 名前[]; の形で宣言する");
        // 関数の外のものは、配列でなく、ポインタになるものなので、型を決めずに渡す所では、ポインタにする
        for (size_t k = end; isExtern && !inFunction && k < s.size(); k++)
            if (s[k] == name && s[k - 1] == "(" && s[k + 1] == ")" && s.function(k)) s.tokens[k].text += " + 0";
        std::string made;
        for (auto& each : all) {
            const std::string given = s[each.name], alias = "cpu_type_" + given;
            s.tokens[each.name].text = alias;
            if (!isExtern)
                made += " CPU_SHARED(" + given + ", " + (align.empty() ? "alignof(" + alias + ")" : align) + ");";
            else if (inFunction) made += " CPU_DYNAMIC_SHARED(" + alias + ", " + given + ");";
            else made += " CPU_FILE_DYNAMIC_SHARED(" + alias + ", " + given + ");";
        }
        if (isExtern) s.replace(open, s.close(open) + 1, "");
        s.tokens[first].text = "typedef " + s[first];
        s.tokens[end].text += made;
        i = end;
    }
}
