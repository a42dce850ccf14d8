// merge.cpp: 元のリストのカーネルを、読者のものに取り替える (make check)。節のことは何も知らない。
//   merge cut 答え リスト > 領域           [start:kernel] と [end:kernel] の間。C++ のプリプロセッサに通す
//   merge join 展開した領域 答え リスト > 組み合わせた.cu
// 組み合わせたものは、元のリストのホスト側が、namespace answer に入れた読者のカーネルを起動する。マクロはもう
// 展開してあり、括弧の対応も確かめてあるので、読者がどう書いても、ホスト側の意味は変わらない。
// カーネルが呼んでよい関数は、コンパイルした後で symbols.awk が確かめる。
#include <algorithm>

#include "region.h"

// lines と、そこで取り込む節のヘッダにある、ホストの関数
static void hostFunctions(const string& path, const Lines& lines, std::set<string>& found) {
    const string folder = path.substr(0, path.rfind('/') + 1), quote = "#include \"";
    const Source s(path, text(lines));
    for (auto& t : s.tokens)
        if (t.text.compare(0, quote.size(), quote) == 0)
            for (const string up : {"", "../"}) {
                const string header =
                    folder + up + t.text.substr(quote.size(), t.text.find('"', quote.size()) - quote.size());
                if (std::ifstream(header)) hostFunctions(header, read(header), found);
            }
    for (auto& f : s.scopes) {
        const bool inType = f.kind != Scope::function || s.scopes[f.parent].kind == Scope::type;
        if (inType || s.has(f.head, f.open, "__device__") || s.has(f.head, f.open, "__global__")) continue;
        size_t k = f.head;
        while (k < f.open && s[k] != "(") k++;
        if (!s.has(f.head, f.open, "constexpr") && !s.has(f.head, f.open, "operator")) found.insert(s[s.previous(k)]);
    }
}
// k 番目の語を、ここで変数として宣言しているか
static bool declares(const Region& mine, size_t k) {
    static const std::set<string> not_types{"return", "else", "case", "throw"};
    const string& before = mine.at(k - 1);
    if (before == "*" || before == "&")
        return k > 1 && isWord(mine.at(k - 2)[0]) && string("=;,)[").find(mine.at(k + 1)) != string::npos;
    return isWord(before[0]) && !not_types.count(before);
}
static void refuseHost(const Region& mine, const Listing& original) {
    std::set<string> host{"puts", "putchar"};
    hostFunctions(original.path, original.before, host);
    for (auto& [name, line] : mine.names) host.erase(name);
    for (size_t k = 1; k < mine.tokens.size(); k++)
        if (host.count(mine.at(k)) && declares(mine, k)) host.erase(mine.at(k));
    for (size_t k = 1; k < mine.tokens.size(); k++)
        if (host.count(mine.at(k)) && mine.at(k - 1) != ".")
            fail(mine.path, mine.tokens[k].line, mine.at(k) + " はホストの関数なので、カーネルの中では使えない");
}

// ホスト側の型の引数 (読んだ回数を数える入力) は、メンバーを通してだけ使う: 中の番地を覗けば、数えられずに読める。
// ラムダは、それを写して持つので、呼ぶだけにする
static void refusePeeking(const Region& mine, const std::set<string>& spaces) {
    std::set<string> inputs, lambdas;
    for (size_t k = 0; k < mine.tokens.size(); k++) {
        const string &s = mine.at(k), next = mine.at(k + 1);
        if (inputs.count(s) && mine.at(k - 1) != "." && next != "[" && next != ".")
            fail(mine.path, mine.tokens[k].line, s + " は、" + s + "[i] か " + s + ".関数() の形でだけ使える");
        if (lambdas.count(s) && next != "(")
            fail(mine.path, mine.tokens[k].line, "この課題では " + s + " のようなラムダは、呼ぶことだけができる");
        if (inputs.size() && s == "=" && next == "[") lambdas.insert(mine.at(k - 1));
        if (!spaces.count(s) || next != ":") continue;
        k += 4;
        if (mine.at(k) == "<") k = mine.until(k, ">") + 1;
        if (isWord(mine.at(k)[0]) && string(",)").find(mine.at(k + 1)) != string::npos) inputs.insert(mine.at(k));
    }
}

// 読者のカーネルの中で使えない語
static void refuseWords(const Region& mine, const Region& original, const Pieces& host) {
    std::set<string> refused{"asm",  "__asm__", "__asm", "__attribute__", "__attribute", "__declspec",
                             "main", "book",    "cpu"};
    static const std::set<string> attributes{"maybe_unused", "nodiscard", "noreturn",
                                             "likely",       "unlikely",  "fallthrough"};
    static const std::set<string> builtins{"__builtin_assume", "__builtin_assume_aligned", "__builtin_expect",
                                           "__builtin_unreachable"};
    std::set<string> spaces;
    for (size_t k = 0; k + 2 < host.size(); k++)  // ホスト側の名前空間
        if (isWord(host[k].s[0]) && host[k + 1].s == ":" && host[k + 2].s == ":" && host[k].s != "std")
            spaces.insert(host[k].s);
    refused.insert(spaces.begin(), spaces.end());
    refusePeeking(mine, spaces);
    std::set<string> used;
    for (auto& t : original.tokens) used.insert(t.s);
    for (size_t k = 0; k < mine.tokens.size(); k++) {
        const string& s = mine.at(k);
        const bool hidden = s.compare(0, 10, "__builtin_") == 0 ? !builtins.count(s)
                            : s.compare(0, 4, "cuda") == 0      ? s.size() > 4 && std::isupper((unsigned char)s[4])
                                                                : false;
        const bool tool = s.compare(0, 4, "cpu_") == 0 || s.compare(0, 4, "CPU_") == 0 || s.find("san_") == 3 ||
                          s.find("san_") == 4 || s.compare(0, 12, "__sanitizer_") == 0;
        if ((refused.count(s) || hidden || tool) && !used.count(s))
            fail(mine.path, mine.tokens[k].line, s + " はカーネルの中では使えない");
        if (s == "[" && mine.at(k + 1) == "[" && !(attributes.count(mine.at(k + 2)) && mine.at(k + 3) == "]"))
            fail(mine.path, mine.tokens[k].line, "[[" + mine.at(k + 2) + "...]] はカーネルの中では使えない");
    }
}

// # の行: 自分で決めたマクロだけで選ぶなら、プリプロセッサに通したものは、どこでコンパイルしても同じである
static void checkDirectives(const Listing& mine, const Pieces& host) {
    const Pieces tokens = tokenize(mine.region, mine.path);
    std::set<string> taken{"defined", "true", "false"}, own;
    for (auto& t : host) taken.insert(t.s);
    for (size_t k = 0; k + 1 < tokens.size(); k++) {
        if (tokens[k].s != "# ") continue;
        const size_t line = tokens[k].line;
        const string &kind = tokens[k + 1].s, name = k + 2 < tokens.size() ? tokens[k + 2].s : "";
        if (kind == "define") {
            if (taken.count(name) || name.compare(0, 2, "__") == 0 || name.compare(0, 4, "cuda") == 0)
                fail(mine.path, line, "#define " + name + " は使えない: ほかで使っている名前なので、別の名前にする");
            own.insert(name);
        } else if (kind == "if" || kind == "elif") {
            for (size_t i = k + 2; i < tokens.size() && tokens[i].line == line; i++)
                if (tokens[i].s == "defined") i += tokens[std::min(i + 1, tokens.size() - 1)].s == "(" ? 2 : 1;
                else if (std::isalpha((unsigned char)tokens[i].s[0]) && !own.count(tokens[i].s))
                    fail(mine.path, line,
                         "#" + kind + " の中の " + tokens[i].s + " は分からない: ここで #define したものだけが使える");
        } else if (kind == "include") {
            if (usableHeader(mine.region[line - mine.region[0].number].text).empty())
                fail(mine.path, line, "この #include は、カーネルの中では使えない");
        } else if (kind == "pragma"
                       ? name != "unroll"
                       : kind != "undef" && kind != "ifdef" && kind != "ifndef" && kind != "else" && kind != "endif")
            fail(mine.path, line,
                 "カーネルの中では、#" + kind + (kind == "pragma" ? " " + name : "") + " の行は使えない");
    }
}

// ---------------------------------------------------------------- 組み合わせる
static void print(const Lines& lines, const string& path) {
    for (size_t k = 0; k < lines.size(); k++) {
        if (k == 0 || lines[k].number != lines[k - 1].number + 1)
            printf("#line %zu \"%s\"\n", lines[k].number, path.c_str());
        puts(lines[k].text.c_str());
    }
}
static int cut(const Listing& mine, const Listing& original) {
    checkDirectives(mine, original.host());
    print(withoutHeaders(mine.region), mine.path);
    return 0;
}

// プリプロセッサの出力のうち、読者の行だけ
static Lines expanded(const string& file, const string& path) {
    Lines lines;
    size_t number = 0;  // 0 なら、読者のファイルではない
    for (auto& [s, ignored] : read(file)) {
        if (s.compare(0, 2, "# ") == 0 && std::isdigit((unsigned char)s[2]))
            number = s.find("\"" + path + "\"") == string::npos ? 0 : std::stoul(s.substr(2));
        else if (number) lines.push_back({s, number++});
    }
    return lines;
}
static int join(const string& file, const Listing& mine, const Listing& original) {
    const Pieces host = original.host();
    const Lines lines = expanded(file, mine.path);
    for (auto& [s, n] : lines) {  // _Pragma も、ここでは #pragma である
        const size_t sharp = s.find_first_not_of(" \t");
        if (sharp != string::npos && s[sharp] == '#' && s.compare(sharp, 14, "#pragma unroll") != 0)
            fail(mine.path, n, "カーネルの中では、" + s.substr(sharp) + " は使えない");
    }
    const Region region(mine.path, tokenize(lines, mine.path));
    const Region theirs(original.path, tokenize(original.region, original.path));
    refuseWords(region, theirs, host);
    refuseHost(region, original);
    refuseAvoided(region.tokens, mine.path, original);

    print(original.before, original.path);
    for (auto part : {&mine.before, &mine.region})
        for (auto& [s, n] : *part)
            if (const string header = usableHeader(s); !header.empty())
                printf("#line %zu \"%s\"\n#include <%s>\n", n, mine.path.c_str(), header.c_str());
    puts("namespace answer {");
    print(lines, mine.path);
    puts("\n}");
    std::set<string> used;
    for (auto& t : host) used.insert(t.s);
    for (auto& [name, line] : theirs.names) {  // ホスト側が起動するカーネルなど
        if (!used.count(name)) continue;
        if (!region.names.count(name))
            fail(mine.path, mine.before.size(), name + " がない: ホスト側が使う名前は変えない");
        printf("#line %zu \"%s\"\nusing answer::%s;\n", region.names.at(name), mine.path.c_str(), name.c_str());
    }
    print(original.after, original.path);

    // 領域の外の書き換えは、黙って捨てない
    const Pieces written = mine.host();
    for (size_t k = 0; k < written.size() || k < host.size(); k++) {
        if (k < written.size() && k < host.size() && written[k].s == host[k].s) continue;
        fprintf(stderr, "%s:%zu: [start:kernel] と [end:kernel] の外の書き換えは使わない: 元のホスト側で確かめる\n",
                mine.path.c_str(), k < written.size() ? written[k].line : mine.after.back().number);
        break;
    }
    return 0;
}

int main(int argc, char** argv) {
    const std::vector<string> a(argv, argv + argc);
    int code = 2;
    if (argc == 4 && a[1] == "cut") code = cut(Listing(a[2]), Listing(a[3]));
    else if (argc == 5 && a[1] == "join") code = join(a[2], Listing(a[3]), Listing(a[4]));
    else fprintf(stderr, "使い方: merge cut 答え リスト | merge join 展開した領域 答え リスト\n");
    return fflush(stdout) == 0 ? code : 1;
}
