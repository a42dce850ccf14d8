// refuse.cpp: C++ としては正しいので素通りするが、GPU では動かない書き方を断る。
#include <cctype>
#include <map>
#include <set>

#include "rewrite.h"

// 頭の、引数の ( の前の名前。なければ size()
static size_t nameBefore(const Source& s, size_t from) {
    for (size_t k = from; k < s.size() && s[k] != ";" && s[k] != "{" && s[k] != "="; k = s.next(k)) {
        const size_t before = s[k] == "(" ? s.previous(k) : s.size();
        if (before == s.size() || s.tokens[before].kind != Token::word) continue;
        if (s[before].compare(0, 2, "__")) return before;
        k = s.close(k);  // __launch_bounds__(sizeof(int) * 64)
    }
    return s.size();
}

// カーネルの引数は、値で渡す。参照なら、ホストのアドレスが渡る
static void refuseReferences(const Source& s, const Scope& f) {
    size_t open = f.head;
    while (open < f.open && s[open] != "__global__") open = s.next(open);
    open = s.next(nameBefore(s, open));
    if (open >= f.open) return;
    for (size_t k = s.next(open), angles = 0; k < s.close(open); k = s.next(k)) {
        if (s[k] == "<") angles++;
        if (s[k] == ">" && angles > 0) angles--;
        if (s[k] == "(" || s[k] == "{") k = s.close(k);
        else if (s[k] == "&" && angles == 0)
            s.fail(k,
                   "カーネルの引数は参照にできない: GPU にはホストの変数が見えない。"
                   "値で渡すか、cudaMalloc した所のポインタを渡す");
    }
}
static bool isOneOf(const std::string& word, const std::set<std::string>& words) { return words.count(word) != 0; }
static const std::set<std::string> builtins = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

// 読者が、その名前の関数を書いたか
static bool isOwn(const Source& s, const std::string& name) {
    for (const Scope& f : s.scopes) {
        const size_t own = f.kind == Scope::function ? nameBefore(s, f.head) : s.size();
        if (own < s.size() && s[own] == name) return true;
    }
    return false;
}
// 引数の名前か
static bool isParameter(const Source& s, const Scope& f, const std::string& name) {
    for (size_t k = nameBefore(s, f.head); k < f.open; k = s.next(k))
        if (s[k] == name && s.tokens[s.previous(k)].kind == Token::word && (s[s.next(k)] == "," || s[s.next(k)] == ")"))
            return true;
    return false;
}

static void refuseLibrary(const Source& s, const Scope& f) {
    static const std::set<std::string> names = {
        "vector",     "string",        "map",           "set",      "unordered_map", "unordered_set", "list",
        "deque",      "cin",           "thread",        "mutex",    "sort",          "unique_ptr",    "shared_ptr",
        "queue",      "function",      "ifstream",      "ofstream", "fstream",       "stringstream",  "ostringstream",
        "accumulate", "stack",         "random_device", "mt19937",  "getline",       "to_string",     "this_thread",
        "chrono",     "runtime_error", "future",        "atomic"};
    static const std::set<std::string> streams = {"cout", "cerr", "endl"},
                                       plain = {"rand",  "srand", "exit",    "fopen", "fprintf", "puts",
                                                "scanf", "time",  "getchar", "atoi",  "calloc",  "cudaMemcpy"};
    static const std::set<std::string> types = {"int", "float", "double", "char", "unsigned", "long"};
    // constexpr の関数も、nvcc は断る
    static const std::set<std::string> constant = {
        "max",      "min",       "clamp",      "swap",        "exchange",    "gcd",         "lcm",
        "midpoint", "lerp",      "fill",       "fill_n",      "copy",        "copy_n",      "count",
        "count_if", "find",      "find_if",    "max_element", "min_element", "lower_bound", "iota",
        "size",     "make_pair", "make_tuple", "transform",   "reduce",      "reverse",     "upper_bound"};
    for (size_t k = s.next(f.head); k < f.close; k = s.next(k)) {
        const size_t before = s.previous(k), after = s.next(k);
        if (s[k] == "throw" || s[k] == "try")
            s.fail(k, s[k] + " はカーネルの中では使えない: 誤りは、引数のポインタの指す所に書いて知らせる");
        if (s.tokens[k].kind != Token::word || s[before] == "." || s[before] == "->" || after >= f.close) continue;
        const bool standard = s[before] == "::" && s[s.previous(before)] == "std", call = s[after] == "(";
        const bool bare = isOneOf(s[k], constant) && (call || s[after] == "<");
        if (k > f.open && s[after] == "[" && isOneOf(s[before], types) &&
            !s.has(s.tokens[k].statement, k, "__shared__"))
            for (size_t n = after; n < s.close(after); n = s.next(n))
                if (isOneOf(s[n], builtins) || isParameter(s, f, s[n]))
                    s.fail(k, "配列 " + s[k] + " の大きさは、コンパイルのときに決まる定数にする: " + s[n] +
                                  " は動かすときに決まる");
        if (standard
                ? isOneOf(s[k], names) || isOneOf(s[k], streams) || bare
                : (isOneOf(s[k], streams) && s[after] == "<<") || (call && isOneOf(s[k], plain) && !isOwn(s, s[k])))
            s.fail(k, (standard ? "std::" : "") + s[k] + " はカーネルの中では使えない: ホストだけの関数である" +
                          (isOneOf(s[k], streams)           ? "。printf で書く"
                           : s[k] == "max" || s[k] == "min" ? "。std:: を付けずに " + s[k] + " と書く"
                                                            : ""));
        if (standard && s[k] == "numeric_limits" && s[after] == "<") {
            size_t end = after;
            while (end < f.close && s[end] != ">") end = s.next(end);
            const size_t name = s.next(s.next(end));
            if (name < f.close && s[s.next(name)] == "(")
                s.fail(k, "std::numeric_limits の " + s[name] +
                              "() はカーネルの中では呼べない: カーネルの外の constexpr の変数に入れておくか、"
                              "INFINITY や INT_MAX のように書く");
        }
    }
}

// ---------------------------------------------------------------- 付け忘れ
namespace {
struct Names {
    std::set<std::string> kernels, devices;  // __global__ と __device__ の関数。宣言だけのものも
    std::set<std::string> both;              // __host__ も付いたものと、クラスの中のもの
    std::map<std::string, size_t> hosts;     // どちらも付いていない関数の名前と、その字句
    std::set<std::string> constants;         // __constant__ の変数
    std::set<std::string> own;               // 読者が変数の名前に使ったもの
};
Names namesIn(const Source& s) {
    Names n;
    for (size_t i = 0; i < s.size(); i++) {
        const size_t before = s.previous(i), after = s.next(i), name = nameBefore(s, i);
        if (s.tokens[i].kind != Token::word || after >= s.size()) continue;
        if (s[i] == "__global__" && name < s.size()) n.kernels.insert(s[name]);
        if (s[i] == "__device__" && name < s.size()) n.devices.insert(s[name]);
        if ((s[i] == "__host__" || s.scopes[s.tokens[i].scope].kind == Scope::type) && name < s.size())
            n.both.insert(s[name]);
        const size_t end = s[i] == "__constant__" ? s.statementEnd(s.tokens[i].statement) : s.size();
        size_t from = s.tokens[i].statement;
        if (end < s.size())
            for (size_t comma : declarators(s, from, end))
                n.constants.insert(s[declaredName(s, from, comma)]), from = comma + 1;
        if (before >= s.size()) continue;  // ファイルの初めの語
        const bool typed = s.tokens[before].kind == Token::word && s[before] != "return" && s[before] != "else";
        if (s[after] == "=" || s[before] == "auto" || (isOneOf(s[i], builtins) && (typed || s[after] == "(")))
            n.own.insert(s[i]);
    }
    for (const Scope& f : s.scopes) {
        const Scope::Kind outside = s.scopes[f.parent].kind;
        if (f.kind != Scope::function || f.close == s.size() || (outside != Scope::file && outside != Scope::names))
            continue;
        const size_t name = nameBefore(s, f.head);
        bool marked = name == s.size() || s[s.previous(name)] == "::" || s[s.previous(name)] == "operator";
        for (size_t k = f.head; k < f.open && !marked; k++) {  // HD のような、自分のマクロかもしれない語も
            const bool macro =
                s[k].size() > 1 && isupper(s[k][0]) && s[k].find_first_of("abcdefghijklmnopqrstuvwxyz") > s[k].size();
            marked = s[k] == "__global__" || s[k] == "__device__" || s[k] == "constexpr" || (k < name && macro);
        }
        if (!marked) n.hosts[s[name]] = name;
    }
    return n;
}
// i の名前を、その関数の引数か変数にも使っている: int* name, か int name[32]; があった
bool shadowed(const Source& s, size_t i) {
    static const std::set<std::string> ends = {",", ")", "[", ";", "="}, words = {"return", "else", "do", "case"};
    const Scope* const f = s.named(i);
    for (size_t k = f ? f->head : i; k < i; k++) {
        if (s.tokens[k].kind != Token::word || s[k] != s[i] || !ends.count(s[s.next(k)])) continue;
        const size_t before = s.previous(k);
        if (s[before] == "*" || s[before] == "&" || (s.tokens[before].kind == Token::word && !words.count(s[before])))
            return true;
    }
    return false;
}
// i の関数を呼んでいるか。name(…) か name<T>(…)
bool calls(const Source& s, size_t i) {
    static const std::set<std::string> words = {"return", "else", "do", "case"};
    const size_t before = s.previous(i);
    size_t after = s.next(i);
    if (before >= s.size() || after >= s.size() || s.tokens[i].inDefine || !s.function(i)) return false;
    if (s[before] == "." || s[before] == "->" || s[before] == "::" || s[before] == "&" || s[before] == "*")
        return false;
    if (s.tokens[before].kind == Token::word && !isOneOf(s[before], words)) return false;  // 宣言
    if (s[after] == "<")
        while (after < s.size() && s[after] != ">" && s[after] != ";") after = s.next(after);
    if (after < s.size() && s[after] == ">") after = s.next(after);
    return after < s.size() && (s[after] == "(" || s[after] == "[") && !shadowed(s, i);
}
}  // namespace

static void refuseForgotten(const Source& s) {
    const Names n = namesIn(s);
    for (size_t i = 1; i < s.size(); i++) {
        if (s[i] != "<<<") continue;
        size_t k = s.previous(i);
        if (k < s.size() && s[k] == ">" && s.open(k) < s.size()) k = s.previous(s.open(k));
        const auto launched = k < s.size() ? n.hosts.find(s[k]) : n.hosts.end();
        if (launched != n.hosts.end() && !n.kernels.count(s[k]))
            s.fail(launched->second,
                   "起動する " + s[k] + " に __global__ がない: __global__ void " + s[k] + "(…) と書く");
    }
    for (size_t i = 1; i < s.size(); i++) {
        const std::string& name = s[i];
        const auto host = n.hosts.find(name);
        const bool isHost = host != n.hosts.end() && !n.devices.count(name), isKernel = n.kernels.count(name) != 0;
        if (s.tokens[i].kind != Token::word) continue;
        if (n.constants.count(name) && s.onDevice(s.named(i)) && s[s.previous(i)] != "." && s[s.previous(i)] != "->") {
            size_t after = s.next(i);
            while (after < s.size() && s[after] == "[") after = s.next(s.close(after));
            if (after < s.size() && s[after] == "=" && s[after + 1] != "=" && !n.own.count(name))
                s.fail(i, "__constant__ の変数 " + name +
                              " には、カーネルからは書けない: ホストから cudaMemcpyToSymbol で写す");
        }
        if (isKernel && !n.devices.count(name) && !n.own.count(name) && host == n.hosts.end() && calls(s, i))
            s.fail(i, name + " はカーネルである: 関数のように呼ばずに、" + name +
                          "<<<ブロックの数, スレッドの数>>>(…) と起動する");
        if (isHost && !isKernel && name != "main" && calls(s, i) && s.mayRunOnDevice(s.named(i)))
            s.fail(host->second, name + " に __device__ がない: カーネルから呼ぶ (" + std::to_string(s.tokens[i].line) +
                                     " 行目) 関数の頭には、__device__ を付ける");
        const Scope* f = s.function(i);
        for (auto& h : n.hosts)
            if (n.devices.count(name) && !n.both.count(name) && !n.own.count(name) && host == n.hosts.end() && f &&
                f->head <= h.second && h.second < f->open && !s.mayRunOnDevice(s.named(i)) && calls(s, i))
                s.fail(i, name +
                              " は __device__ の関数で、ホストからは呼べない: ホストでも使うなら、頭を __host__ "
                              "__device__ にする");
        const bool shared = name == "__shared__";
        if ((shared || name == "__device__" || name == "__constant__") && f && f->kind == Scope::function &&
            s.tokens[i].statement == i && f->open < i && s.scopes[s.tokens[i].scope].kind != Scope::type)
            for (auto& h : n.hosts)
                if (!shared || (f->head <= h.second && h.second < f->open))
                    s.fail(i, shared ? "__shared__ は、カーネルと __device__ の関数の中でだけ使える"
                                     : name + " の変数は、関数の外に置く");
        if (isOneOf(name, builtins) && !n.own.count(name) && s[s.next(i)] == "." && !s.tokens[i].inDefine) {
            const size_t set = s.next(s.next(s.next(i)));  // blockDim.x /= 2
            if (set + 1 < s.size() &&
                (s[set] == "=" ? s[set + 1] != "=" : s[set].find_first_of("+-*/") == 0 && s[set + 1] == "="))
                s.fail(i, name + " は書き換えられない: int i = " + name + ".x; のように、自分の変数に写して変える");
            if (f)
                for (auto& h : n.hosts)
                    if (f->head <= h.second && h.second < f->open && !s.mayRunOnDevice(s.named(i)))
                        s.fail(
                            i,
                            name + " は、カーネルの中でだけ使える: " +
                                (h.first == "main"
                                     ? "ホストでは、起動に書いた数を使う"
                                     : h.first +
                                           " がカーネルなら __global__ を、カーネルから呼ぶなら __device__ を付ける"));
        }
    }
}

// 日本語の入力のまま打った空白や記号。コンパイラには、名前の一部に見える
static void refuseFullWidth(const Source& s) {
    for (size_t i = 0; i < s.size(); i++)
        for (size_t k = 0; s.tokens[i].kind == Token::word && k + 2 < s[i].size(); k++) {
            const std::string c = s[i].substr(k, 3);
            if (c == "\u3000") s.fail(i, "全角の空白がある: 半角で打つ");
            if ((c >= "\uff01" && c <= "\uff5e") || (c >= "\u2018" && c <= "\u201d"))
                s.fail(i, "全角の " + c + " がある: 半角で打つ");
        }
}

// ほかの言語の書き方
static void refuseOtherLanguages(const Source& s) {
    for (size_t i = 0; i < s.size(); i++) {
        const size_t open = s.next(i);
        if (s[i] != "for" || s.tokens[i].kind != Token::word || open >= s.size() || s[open] != "(" ||
            s.close(open) == s.size())
            continue;
        for (size_t k = s.next(open); k < s.close(open); k = s.next(k))
            if (s[k] == "in" && s.tokens[s.previous(k)].kind == Token::word &&
                s.tokens[s.next(k)].kind != Token::symbol)
                s.fail(k, "for の中に in がある: 0 から n まで数えるなら for (int k = 0; k < n; k++) と書く");
    }
}

void refuseHostCode(const Source& s) {
    refuseFullWidth(s);
    refuseOtherLanguages(s);
    for (const Scope& f : s.scopes) {
        if (f.kind != Scope::function) continue;
        const bool kernel = s.has(f.head, f.open, "__global__");
        const size_t name = kernel ? nameBefore(s, f.head) : s.size();
        if (name < s.size() && s.has(f.head, name, "__global__") && !s.has(f.head, name, "void") &&
            !s.has(f.head, name, "auto"))
            s.fail(name, "カーネルは値を返せない: __global__ void " + s[name] +
                             "(…) と書き、結果は引数のポインタの指す所に書く");
        if (kernel && s.scopes[f.parent].kind == Scope::type)
            s.fail(name < s.size() ? name : f.head,
                   "カーネルは、クラスの中には書けない: 外に出して、要るものを引数で渡す");
        if (kernel) refuseReferences(s, f);
        if (s.onDevice(&f) && f.close < s.size()) refuseLibrary(s, f);
    }
    refuseForgotten(s);
}
