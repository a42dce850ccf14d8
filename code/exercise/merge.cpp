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
    const Source s(path, text(lines, path));
    for (auto& t : s.tokens)
        if (t.text.compare(0, quote.size(), quote) == 0)
            for (const string up : {"", "../"}) {
                const string header =
                    folder + up + t.text.substr(quote.size(), t.text.find('"', quote.size()) - quote.size());
                if (std::ifstream(header)) hostFunctions(header, read(header), found);
            }
    for (auto& f : s.scopes)
        if (f.kind == Scope::function && s.scopes[f.parent].kind != Scope::type && !s.mayRunOnDevice(&f) &&
            !s.has(f.head, f.open, "constexpr") && !s.has(f.head, f.open, "operator"))
            found.insert(s[f.name]);
}
// 字句 i を、ここで変数として宣言しているか
static bool declares(const Source& s, size_t i) {
    static const std::set<string> not_types{"return", "else", "case", "throw"};
    const size_t before = s.previous(i);
    if (s[before] == "*" || s[before] == "&")
        return s.word(s.previous(before)) && string("=;,)[").find(s[s.next(i)]) != string::npos;
    return s.word(before) && !not_types.count(s[before]);
}
static void refuseHost(const Region& mine, const Listing& original) {
    const Source& s = mine.s;
    std::set<string> host{"puts", "putchar"};
    hostFunctions(original.path, original.before, host);
    for (auto& [name, line] : mine.names) host.erase(name);
    for (size_t i = 1; i < s.size(); i++)
        if (host.count(s[i]) && declares(s, i)) host.erase(s[i]);
    for (size_t i = 1; i < s.size(); i++)
        if (host.count(s[i]) && s[s.previous(i)] != ".")
            s.fail(i, s[i] + " はホストの関数なので、カーネルの中では使えない");
}

// ホスト側の型の引数 (読んだ回数を数える入力) は、メンバーを通してだけ使う: 中の番地を覗けば、数えられずに読める。
// 全部を捕まえるラムダは、それを写して持つので、名前を付けて、呼ぶだけにする
static const std::set<string> kVectors{"char",  "uchar4", "char4", "short4", "ushort4", "int",    "unsigned", "int2",
                                       "uint2", "int4",   "uint4", "float",  "float2",  "float4", "double2"};
static void refusePeeking(const Source& s, const std::set<string>& spaces) {
    std::set<string> inputs, lambdas;
    for (size_t i = 1; i < s.size(); i = s.next(i)) {
        const string &before = s[s.previous(i)], &next = s[s.next(i)];
        if (inputs.count(s[i]) && before != "." && next != "[" && next != ".")
            s.fail(i, s[i] + " は、" + s[i] + "[i] か " + s[i] + ".関数() の形でだけ使える");
        if (inputs.size() && s[i] == "wide" && next == "<" && !kVectors.count(s[s.next(s.next(i))]))
            s.fail(i, "この課題では wide で読めるのは char4、uint2、int4、uint4、float4 などである");
        if (lambdas.count(s[i]) && next != "(")
            s.fail(i, "この課題では " + s[i] + " のようなラムダは、呼ぶことだけができる");
        if (inputs.size() && s[i] == "[" && (next == "=" || next == "&")) {
            if (before != "=") s.fail(i, "この課題では、ラムダは auto 名前 = [=](…) { … }; の形でだけ作れる");
            lambdas.insert(s[s.previous(s.previous(i))]);
        }
        if (!spaces.count(s[i]) || next != "::") continue;
        i = s.next(s.next(s.next(i)));
        if (s[i] == "<") i = s.next(s.close(i));
        if (s.word(i) && string(",)").find(s[s.next(i)]) != string::npos) inputs.insert(s[i]);
    }
}

// 読者のカーネルの中で使えない語
static void refuseWords(const Source& mine, const Source& original, const std::vector<Token>& host) {
    std::set<string> refused{"asm",  "__asm__", "__asm", "__attribute__", "__attribute", "__declspec",
                             "main", "book",    "cpu"};
    static const std::set<string> attributes{"maybe_unused", "nodiscard", "noreturn",
                                             "likely",       "unlikely",  "fallthrough"};
    static const std::set<string> builtins{"__builtin_assume", "__builtin_assume_aligned", "__builtin_expect",
                                           "__builtin_unreachable"};
    std::set<string> spaces;
    for (size_t k = 0; k + 1 < host.size(); k++)  // ホスト側の名前空間
        if (host[k].kind == Token::word && host[k + 1].text == "::" && host[k].text != "std")
            spaces.insert(host[k].text);
    refused.insert(spaces.begin(), spaces.end());
    refusePeeking(mine, spaces);
    std::set<string> used;
    for (auto& t : original.tokens) used.insert(t.text);
    for (size_t i = 1; i < mine.size(); i++) {
        const string& s = mine[i];
        bool tool = s.find("san_") == 3 || s.find("san_") == 4;
        for (const char* start : {"cpu_", "CPU_", "__sanitizer_", "__builtin_"}) tool = tool || s.find(start) == 0;
        const bool api = s.compare(0, 4, "cuda") == 0 && std::isupper((unsigned char)s[4]);
        if (mine.word(i) && (refused.count(s) || tool || api) && !used.count(s) && !builtins.count(s))
            mine.fail(i, s + " はカーネルの中では使えない");
        const size_t second = mine.next(i), name = mine.next(second);
        if (s == "[" && mine[second] == "[" && !(attributes.count(mine[name]) && mine[mine.next(name)] == "]"))
            mine.fail(i, "[[" + mine[name] + "...]] はカーネルの中では使えない");
    }
}

// # の行: 自分で決めたマクロだけで選ぶなら、プリプロセッサに通したものは、どこでコンパイルしても同じである
static void checkDirectives(const Listing& mine, const std::vector<Token>& host) {
    static const std::set<string> plain{"undef", "ifdef", "ifndef", "else", "endif"};
    const Source s = scan(mine.region, mine.path);
    std::set<string> taken{"defined", "true", "false"}, own;
    for (auto& t : host) taken.insert(t.text);
    for (size_t i = 2; i < s.size(); i++) {  // 1 番目は、text の付けた #line
        if (s.tokens[i].kind != Token::directive) continue;
        const Source line("", s[i].substr(1));
        const size_t word = line.next(0), second = line.next(word);
        const string &kind = line[word], &name = line[second];
        if (kind == "define") {
            if (taken.count(name) || name.compare(0, 2, "__") == 0 || name.compare(0, 4, "cuda") == 0)
                s.fail(i, "#define " + name + " は使えない: ほかで使っている名前なので、別の名前にする");
            own.insert(name);
        } else if (kind == "if" || kind == "elif") {
            for (size_t k = second; k < line.size() && line.tokens[k].line == 1; k = line.next(k))
                if (line[k] == "defined") k = line.next(line[line.next(k)] == "(" ? line.next(k) : k);
                else if (std::isalpha((unsigned char)line[k][0]) && !own.count(line[k]))
                    s.fail(i, "#" + kind + " の中の " + line[k] + " は分からない: ここで #define したものだけが使える");
        } else if (kind == "include") {
            if (usableHeader(s[i]).empty()) s.fail(i, "この #include は、カーネルの中では使えない");
        } else if (kind == "pragma" ? name != "unroll" : !plain.count(kind))
            fail(mine.path, size_t(s.tokens[i].line),
                 "カーネルの中では、#" + kind + (kind == "pragma" ? " " + name : "") + " の行は使えない");
    }
}

// ---------------------------------------------------------------- 組み合わせる
static void print(const Lines& lines, const string& path) { fputs(text(lines, path).c_str(), stdout); }
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
    const std::vector<Token> host = original.host();
    const Lines lines = expanded(file, mine.path);
    for (auto& [s, n] : lines) {  // _Pragma も、ここでは #pragma である
        const size_t sharp = s.find_first_not_of(" \t");
        if (sharp != string::npos && s[sharp] == '#' && s.compare(sharp, 14, "#pragma unroll") != 0)
            fail(mine.path, n, "カーネルの中では、" + s.substr(sharp) + " は使えない");
    }
    const Region region(mine.path, lines), theirs(original.path, original.region);
    refuseWords(region.s, theirs.s, host);
    refuseHost(region, original);
    refuseAvoided(region.s, original);

    print(original.before, original.path);
    for (auto part : {&mine.before, &mine.region})
        for (auto& [s, n] : *part)
            if (const string header = usableHeader(s); !header.empty())
                printf("#line %zu \"%s\"\n#include <%s>\n", n, mine.path.c_str(), header.c_str());
    puts("namespace answer {");
    print(lines, mine.path);
    puts("\n}");
    std::set<string> used;
    for (auto& t : host) used.insert(t.text);
    for (auto& [name, line] : theirs.names) {  // ホスト側が起動するカーネルなど
        if (!used.count(name)) continue;
        if (!region.names.count(name))
            fail(mine.path, mine.before.size(), name + " がない: ホスト側が使う名前は変えない");
        printf("#line %d \"%s\"\nusing answer::%s;\n", region.names.at(name), mine.path.c_str(), name.c_str());
    }
    print(original.after, original.path);

    // 領域の外の書き換えは、黙って捨てない
    const std::vector<Token> written = mine.host();
    for (size_t k = 0; k < written.size() || k < host.size(); k++) {
        if (k < written.size() && k < host.size() && written[k].text == host[k].text) continue;
        fprintf(stderr, "%s:%zu: [start:kernel] と [end:kernel] の外の書き換えは使わない: 元のホスト側で確かめる\n",
                mine.path.c_str(), k < written.size() ? size_t(written[k].line) : mine.after.back().number);
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
