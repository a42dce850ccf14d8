// refuse.cpp: C++ としては正しいので素通りするが、GPU では動かない書き方を断る。
// nvcc も黙って受け付ける誤りは、知らせる。
#include <algorithm>
#include <map>

#include "rewrite.h"

using Words = std::set<std::string>;
static const Words builtins = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
static bool isDeviceFunction(const std::string& s) {
    static const char* const heads[] = {"__sync",   "__threadfence", "__active",  "__ballot",    "__any_", "__all_",
                                        "__shfl",   "__reduce",      "__match",   "__popc",      "__clz",  "__ffs",
                                        "__brev",   "__mulhi",       "__umulhi",  "__byte_perm", "__ldg",  "__exp",
                                        "__sin",    "__cos",         "__log",     "__pow",       "__fdiv", "__nano",
                                        "__int_as", "__float_as",    "__double_", "__longlong_", "__trap", "__dp4a"};
    return s.find("atomic") == 0 || std::any_of(heads, std::end(heads), [&](auto h) { return s.find(h) == 0; });
}

// ---------------------------------------------------------------- 並びだけで分かるもの
#define HOST_ONLY " はカーネルの中では使えない: ホストだけの関数である"
namespace {
struct Slip {
    Pattern pattern;
    size_t at;  // 何番目の字句の行を言うか
    const char* sentence;  // $k は、k 番目の字句
};
using Slips = std::vector<Slip>;
}  // namespace
#define COUNTED "0 から n まで数えるなら for (int k = 0; k < n; k++) と書く"
#define NAMES " は名前に使えない: 名前は英字、数字、_ で、数字から始めず、new などの C++ の語を除く"
static const Slips refused = {
    {"for|foreach ( .. W in V", 4, "for の中に in がある: " COUNTED},
    {"for W in", 2, "for の中に in がある: " COUNTED},
    {"for ( W W = V , W <|>|<=|!=", 7, "for の ( ) の中は、; で区切る: " COUNTED},
    {"for ( .. , .. ; .. )", 0, "for の ( ) の中は、2 つの ; で区切る: " COUNTED},
    {"for ( .. ; .. ; .. ;", 0, "for の ( ) の中は、2 つの ; で区切る: " COUNTED},
    {"for ( W :", 2, "for の $2 の前に、型がない: " COUNTED},
    {"int|float|double|bool|size_t W -|. W", 1, "$1$2$3" NAMES},
    {"int|float|double|bool|size_t new|delete|default|class|this|case|auto|for|N =|;|,", 1, "$1" NAMES},
    {"int|float|double|bool|char [ ] W", 1, "[ ] は、型ではなく名前の後ろに書く: $0 $3[]"},
    {"<<< [", 0, "<<<ブロックの数, スレッドの数>>> に [ ] は書けない: 2 次元なら dim3(x, y) と書く"},
    {"constexpr W W = warpSize", 4, "warpSize は、コンパイルのときに決まる値ではない: 32 と書く"},
    {"< < <", 0, "< の間の空白を消す: <<<ブロックの数, スレッドの数>>> と書く"},
    {"<<< <<<", 0, "Git の衝突の印が残っている: どちらかを選び、印の行を消す"},
    {"= >", 0, "=> は C++ にない: 比べるなら >=、ラムダなら [](int a) { return a; } と書く"},
    {"= <|/|%", 0, "= の位置が違う: $1= と書く"},
    {"==|!= =", 0, "= が余っている: 比べるのは $0 である"},
    {"=|<|!|+|-|/|%|<< =", 0, "$0 と = の間の空白を消す: $0= と書く"},
    {"& &", 0, "& と & の間の空白を消す: && と書く"},
    {": :", 0, ": と : の間の空白を消す: :: と書く"},
    {"int|float|double|unsigned|bool W __global__|template", 1, "文の終わりの ; がない"},
    {"const|constexpr int|float|double|size_t W V ;", 2, "$2 と $3 の間に、= がない"},
    {";|{|} . . .", 1, "... は、省いた印である: 省いた行を書く"},
    {";|{|} +|- int|float|double|unsigned|bool|auto|const|dim3|size_t|for|if|return", 1, "行の初めの $1 は消す"},
    {"]|N if .. else", 1, "値を選ぶ式は、条件 ? 値 : 値 と書く"},
    {"System . out .", 0, "System は、ほかの言語の語である: printf(\"%g\", x) と書く"},
    {"let mut", 0, "let は、ほかの言語の語である: int か float などの型から書く"},
    {": =", 0, "値を入れるのは、: のない = である"},
    {"!. . [|if|for|return|int|float|;|}|]|=", 1, ". の後ろに名前がない: 文の終わりなら ; と、要素なら p[i] と書く"},
    {"std|cg . min|max|cout|endl|vector|string|sort|swap|abs|this_grid|this_thread_block", 1,
     "$0 の後ろは、. ではなく :: と書く: $0::$2"},
    {"cuda . grid|syncthreads|shared|local|atomic|jit", 0, "cuda.$2 は Python のものである: CUDA C++ の名前で書く"},
    {"__shared__ W W ( .. ) ;", 3, "配列の大きさは、[ ] に書く: __shared__ $1 $2[…];"},
    {"if|while|for () :", 0, "$0 の ( ) の後ろは、: ではなく { } である"},
    {"__global__ W void (", 2, "void は名前の前に書く: __global__ void $1(…)"},
    {"__global__|__device__ template", 0, "template <…> は $0 の前に書く: template <…> $0 void f(…)"},
    {"else|try :", 0, "$0 の後ろは、: ではなく { } である"},
    {"W () : {", 2, "{ の前の : は消す"},
    {"__global__ W W ;|=|[", 0, "__global__ は関数に付ける: 変数なら __device__ である"},
    {"void|int|float|double|bool W ( .. ;", 4, "引数は、; ではなく , で区切る"},
    {";|{|} N W", 1, "$1 と $2 の間に、演算子がない: 行の番号なら消す"},
    {"class|struct W : int|float|double|bool|def W", 0, "$0 $1 の後ろは、: ではなく { } である"},
    {"__global__ int|void main (", 2, "main はカーネルではない: __global__ を付けずに、int main() と書く"},
    {";|} main (", 1, "main は int の関数である: int main() か int main(int argc, char** argv) と書く"},
    {"dim3 W [ .. ,", 2, "dim3 の変数の数は、[ ] ではなく ( ) に書く: dim3 $1(x, y)"},
    {"= W <<<", 1, "起動は値を返さない: 結果は、引数のポインタの指す所に書かせ、cudaMemcpy で写す"},
    {"void|__global__|__device__ W <<<", 0, "起動の前に $0 は書かない: $1<<<ブロックの数, スレッドの数>>>(…) と書く"},
    {"else ( .. ==|<|>|<=|>=|!= V ) !?|;", 0, "else の後に、条件は書けない: else if (…) と書く"},
    {"import|include|define !=|(|)|;|,|.|[|->", 0, "$0 ではなく、#include <名前> や #define 名前 値 と書く"},
    {"int|float|double|dim3|long|size_t W = N|() , N|()", 4, "数を , で並べない: 組は dim3 g(3, 4)、千は 1000"},
    {";|{|} int|float|double|unsigned|bool|dim3|size_t W .. , const|int|float|double|unsigned|bool|dim3|size_t W", 4,
     "$2 の後ろの , は ; にする: 1 つの文で並べるなら、型は初めの 1 度だけ書く"},
    {"= V|() , if|for|while|do|switch|return|break|continue", 2, "$2 の後ろに、値がない: 文の終わりなら ; と書く"},
};
static const Slips warned = {
    {"= 2|10 ^ N", 2, "^ は、べき乗ではない: 2 の 20 乗は 1 << 20、10 の 3 乗は 1000 と書く"},
    {"if|while ( W & V|() ==|!=", 0, "& より先に、比べている: (a & 1) == 0 のように、先に計算する方を ( ) で囲む"},
    {"if|while ( ! W <|>|<=|>= V )", 2, "! は $4 より先に効く: !(a < b) のように、比べる方を ( ) で囲む"},
    {"for ( unsigned|size_t .. ; W > = 0 ;", 5, "符号のない $5 は、いつも 0 以上なので、終わらない: int にする"},
    {";|{|}|)|else atomicCAS ( .. , W , W +|-|*|/", 1,
     "atomicCAS の戻り値を見ていない: 間にほかの人が書いていれば、書かれない。戻り値が $5 と違う間、やり直す"},
    {"W += __shfl_up_sync (", 2,
     "$2 は、前にいないレーンには自分の値を返す: 受け取ってから、if (lane >= d) のときだけ足す"},
    {"for ( W W = warpSize|32 ; .. ; .. ) W += __shfl_down_sync|__shfl_xor_sync", 5,
     "$5 だけずらすと、自分の値が返る: 16 から始める"},
    {"for ( W W = blockIdx . x * blockDim . x + threadIdx . x ; W < n|N|size|count ; W += blockDim . x )", 21,
     "どのブロックも、同じ要素を回る: += gridDim.x * blockDim.x と書く"},
    {"atomicInc|atomicDec ( .. , 1 )", 0,
     "$0 の 2 つ目は、足す数ではなく上限である: 数えるなら atomicAdd(…, 1) と書く"},
    {"if () ; !else", 0, "if の ( ) のすぐ後ろに ; がある: 何もせずに終わり、後ろの文は、いつも実行される"},
    {"for|while () ; {", 0, "$0 の ( ) のすぐ後ろに ; がある: くり返すのはその空の文で、{ } は 1 度だけ実行される"},
    {"return [ & W ] () {} ;", 2, "$3 は、関数の終わりで消える: & を付けずに、値で捕まえる"},
};
static const Slips refusedOnDevice = {
    {"extern int|float|double|unsigned W [", 0, "共有メモリなら、extern の後ろに __shared__ を付ける"},
    {"thread_local", 0, "$0 はカーネルの中では使えない: ふつうのローカル変数は、もうスレッドごとにある"},
    {"throw|try", 0, "$0 はカーネルの中では使えない: 誤りは、引数のポインタの指す所に書いて知らせる"},
    {"typeid|dynamic_cast (|<", 0, "$0 はカーネルの中では使えない: 型は、コンパイルのときに決まるように書く"},
    {"cout|cerr|endl <<|.", 0, "$0" HOST_ONLY "。printf で書く"},
    {"std :: max|min (|<", 2, "std::$2" HOST_ONLY "。std:: を付けずに $2 と書く"},
    {"std :: vector|string|map|set|unordered_map|unordered_set|list|deque|cin|thread|mutex|sort|unique_ptr|shared_ptr|"
     "queue|function|ifstream|ofstream|fstream|stringstream|ostringstream|accumulate|stack|random_device|mt19937|"
     "getline|to_string|this_thread|chrono|runtime_error|future|atomic",
     2, "std::$2" HOST_ONLY},
    // constexpr の関数も、nvcc は断る
    {"std :: clamp|swap|exchange|gcd|lcm|midpoint|lerp|fill|fill_n|copy|copy_n|count|count_if|find|find_if|max_element|"
     "min_element|lower_bound|iota|size|make_pair|make_tuple|transform|reduce|reverse|upper_bound|array|"
     "optional|tuple|get|bitset|variant|plus|minus|multiplies|less|greater (|<",
     2, "std::$2" HOST_ONLY},
    {"std :: pair|complex <> W (|{|;", 2, "std::$2" HOST_ONLY},
    {"std :: pair|complex <> (|{", 2, "std::$2" HOST_ONLY},
    {"rand|srand|exit|fopen|fprintf|sprintf|puts|scanf|time|getchar|atoi|atof|calloc|realloc|memmove|memcmp|strlen|"
     "strcmp|strcpy|strcat|system|getenv|qsort|sleep|usleep|fflush|putchar|cudaMemcpy (",
     0, "$0" HOST_ONLY},
    {"std :: numeric_limits <> :: W (", 2,
     "std::numeric_limits の $5() はカーネルの中では呼べない: INFINITY や INT_MAX のように書く"},
};
static const Slips refusedWithUsing = {
    // using namespace std; のあるファイルで
    {"vector|map|set|deque|list|queue|stack|function|array|tuple|optional <> W", 0, "std::$0" HOST_ONLY},
    {"swap|sort|reverse|accumulate (", 0, "std::$0" HOST_ONLY},
    {"string W =|;|(", 0, "std::$0" HOST_ONLY},
};
// i から並んでいるものが slips にあれば、断るか、知らせる
static void tell(const Source& s, size_t i, const Slips& slips, bool refuses) {
    for (auto& slip : slips) {
        const auto at = s.match(i, slip.pattern);
        if (at.empty()) continue;
        std::vector<std::string> words;
        for (size_t k : at) words.push_back(s[k]);
        const std::string said = filled(slip.sentence, words, '0');
        if (refuses) s.fail(at[slip.at], said);
        s.warn(at[slip.at], said);
    }
}
void warnOfSlips(const Source& s) {
    static const Pattern large = "int W = N", ratio = "=|(|,|+|-|return N / N", unwaited = "> > > () ; return|}";
    bool prints = false;
    for (size_t i = 0; i < s.size(); i = s.next(i)) {
        if (!s.tokens[i].inDefine) tell(s, i, warned, false);
        if (s.tokens[i].kind == Token::string && s[i].find("\u00a5n") < s[i].size())
            s.warn(i, "¥n は、改行にならない: ¥ ではなく、半角の \\ (バックスラッシュ) を打つ");
        if (s[i] == "=" && (s[i + 1] == "+" || s[i + 1] == "-") && s.skipped(i + 2))
            s.warn(i, "=" + s[i + 1] + " は " + s[i + 1] + "= の書き誤りではないか: 計算するなら、= を後ろに書く");
        if (const auto at = s.match(i, large); !at.empty() && strtoll(s[at[3]].c_str(), nullptr, 10) > 2147483647)
            s.warn(i, s[at[3]] + " は int に入らない: 大きな整数なら long long にする");
        prints = prints || (s[i] == "printf" && s.onDevice(s.named(i)));
        if (const auto at = s.match(i, unwaited); prints && !at.empty() && s.named(i) &&
                                                  s[s.named(i)->name] == "main" &&
                                                  (s[at[5]] == "return" || at[5] == s.named(i)->close))
            s.warn(i, "起動したまま終わる: GPU では、カーネルの printf は出ない。cudaDeviceSynchronize() で待つ");
        if (const auto at = s.match(i, ratio);
            !at.empty() && (s[at[1]] + s[at[3]]).find_first_not_of("0123456789") == std::string::npos)
            if (const double a = atof(s[at[1]].c_str()); a > 0 && a < atof(s[at[3]].c_str()))
                s.warn(at[1], s[at[1]] + " / " + s[at[3]] +
                                  " は整数の割り算で、0 になる: 0.5f のように書くか、先に足すものを ( ) で囲む");
    }
}

// ---------------------------------------------------------------- 関数の中
static void refuseInKernel(const Source& s, const Scope& f) {
    const size_t open = s.next(f.name);
    if (f.name < s.size() && (s.has(f.head, f.name, "__device__") || s.has(f.head, f.name, "__host__")))
        s.fail(f.name, "__global__ は __device__ や __host__ と一緒には付けられない: カーネルなら __global__ だけ");
    if (f.name < s.size() && s.has(f.head, f.name, "__global__") && !s.has(f.head, f.name, "void") &&
        !s.has(f.head, f.name, "auto"))
        s.fail(f.name, "カーネルの型は void である: __global__ void 名前(…) と書き、結果は引数の指す所に書く");
    if (s.scopes[f.parent].kind == Scope::type)
        s.fail(f.name < s.size() ? f.name : f.head, "カーネルはクラスの中には書けない: 外に出し、要るものは引数で渡す");
    for (size_t k = f.head; k < f.open; k++)
        if (s[k] == "noexcept" || s[k] == "constexpr") s.fail(k, s[k] + " はカーネルには付けられない: 消す");
    // 引数は、値で渡す。参照なら、ホストのアドレスが渡る
    for (auto& d : s.declarators(s.next(open), s.close(open))) {
        if (s.text(d.begin, d.end) == "...") s.fail(d.begin, "カーネルの引数に ... は書けない: 数を決めて並べる");
        for (size_t k : {s.previous(d.name), s.previous(d.end)})
            if (s[k] == "&" || s[k] == "&&")
                s.fail(k,
                       "カーネルの引数は参照にできない: GPU からは見えない。値か、cudaMalloc した所のポインタを渡す");
    }
}
static void refuseOnDevice(const Source& s, const Scope& f, const Words& own, bool usesStd) {
    static const Pattern array = "int|float|double|char|unsigned|long W [", parameter = "W W ,|)",
                         variable = "int|unsigned W =|;";
    Words parameters = {"warpSize", "threadIdx", "blockIdx", "blockDim", "gridDim"};
    for (size_t k = f.name; k < f.open; k = s.next(k)) {
        const auto at = s.match(k, parameter);
        if (!at.empty()) parameters.insert(s[at[1]]);
    }
    for (size_t k = f.head; k < f.close; k = s.next(k)) {
        const std::string& before = s[s.previous(k)];
        if (before == "." || before == "->" || (before == "::" && s[k] == "std")) continue;
        if (!own.count(s[k])) tell(s, k, refusedOnDevice, true);
        if (!own.count(s[k]) && usesStd && before != "::") tell(s, k, refusedWithUsing, true);
        if (s.tokens[k].statement == k && !s.match(k, variable).empty()) parameters.insert(s[s.next(k)]);
        const auto at = s.match(k, array);
        if (at.empty() || k < f.open || s.has(s.tokens[k].statement, k, "__shared__")) continue;
        for (size_t n = at[2]; n < s.close(at[2]); n++)
            if (parameters.count(s[n]))
                s.fail(at[1], "配列 " + s[at[1]] + " の大きさは、コンパイルのときに決まる定数にする: " + s[n] +
                                  " は動かすときに決まる");
    }
}

// ---------------------------------------------------------------- 付け忘れ
static bool isMacro(const std::string& word) {
    return word.size() > 1 && isupper(word[0]) && std::none_of(word.begin(), word.end(), islower);
}
namespace {
struct Names {
    Words kernels, devices;  // __global__ と __device__ の関数。宣言だけのものも
    Words both;  // __host__ も付いたものと、クラスの中のもの
    std::map<std::string, size_t> hosts;  // どちらも付いていない関数の名前と、その字句
    Words constants, symbols;  // __constant__ の変数、__device__ の変数
    Words own;  // 読者が変数の名前に使ったもの
    Words macros;  // #define した名前
    bool readsArchitecture = false;  // __CUDA_ARCH__ で、ホストとデバイスを書き分けている
};
const Words statements = {"return", "else", "do", "case"}, controls = {"for", "while", "if", "switch"};
// クラスの外にあり、名前より前に、マクロも、デバイスの印もない関数
bool isHost(const Source& s, const Scope* f, const Words& macros) {
    if (!f || f->kind != Scope::function || f->close == s.size() || f->name == s.size()) return false;
    const Scope::Kind outside = s.scopes[f->parent].kind;
    const std::string& before = s[s.previous(f->name)];
    bool host = (outside == Scope::file || outside == Scope::names) && before != "::" && before != "operator" &&
                !controls.count(s[f->name]) && !s.mayRunOnDevice(f);
    for (size_t k = f->head; k < f->name && host; k++) host = !isMacro(s[k]) && !macros.count(s[k]);
    return host;
}
Names namesIn(const Source& s) {
    Names n;
    for (size_t i = 0; i < s.size(); i++) {
        const size_t before = s.previous(i), after = s.next(i);
        n.readsArchitecture = n.readsArchitecture || s[i].find("__CUDA_ARCH__") < s[i].size();
        if (s.tokens[i].kind == Token::directive && s[i].find("define") < s[i].size())
            n.macros.insert(s[i].substr(s[i].find_last_of(" \t") + 1));
        if (!s.word(i) || after >= s.size()) continue;
        if (s[i] == "__global__") n.kernels.insert(s[s.nameBefore(i)]);
        if (s[i] == "__device__") n.devices.insert(s[s.nameBefore(i)]);
        if (s[i] == "__host__") n.both.insert(s[s.nameBefore(i)]);
        if (s.scopes[s.tokens[i].scope].kind == Scope::type && s[after] == "(") n.both.insert(s[i]);
        const bool constant = s[i] == "__constant__", variable = constant || s[i] == "__device__";
        const size_t statement = s.tokens[i].statement, end = variable ? s.statementEnd(statement) : 0;
        for (auto& d : end&& end < s.size() ? s.declarators(statement, end) : std::vector<Declarator>())
            if (constant || !(s.has(statement, end, "(") || s.has(statement, end, "__managed__")))
                (constant ? n.constants : n.symbols).insert(s[d.name]);
        const bool typed = s.word(before) && s[before] != "return" && s[before] != "else";
        if (s[after] == "=" || s[before] == "auto" || (builtins.count(s[i]) && (typed || s[after] == "(")))
            n.own.insert(s[i]);
    }
    for (const Scope& f : s.scopes)
        if (isHost(s, &f, n.macros)) n.hosts[s[f.name]] = f.name;
    return n;
}
// i の名前を、その関数の引数か変数にも使っている: int* name, か int name[32]; があった
bool shadowed(const Source& s, size_t i) {
    static const Words ends = {",", ")", "[", ";", "=", ">", ":", "{"};
    const Scope* const f = s.named(i);
    for (size_t k = f ? f->head : i; k < i; k++) {
        const size_t before = s.previous(k);
        if (s.word(k) && s[k] == s[i] && ends.count(s[s.next(k)]) &&
            (s[before] == "*" || s[before] == "&" || (s.word(before) && !statements.count(s[before]))))
            return true;
    }
    return false;
}
// i の関数を呼んでいるか。name(…) か name<T>(…)
bool calls(const Source& s, size_t i) {
    static const Words others = {".", "->", "&", "*"};
    const size_t before = s.previous(i), space = s.previous(before);
    size_t after = s.next(i);
    const auto names = [&](const Scope& c) { return c.kind == Scope::names && s.has(c.head, c.open, s[space]); };
    if (s[before] == "::" && std::none_of(s.scopes.begin(), s.scopes.end(), names)) return false;
    if (before >= s.size() || s.tokens[i].inDefine || !s.function(i) || others.count(s[before])) return false;
    if (s.word(before) && !statements.count(s[before])) return false;  // 宣言
    size_t type = s[before] == ">" ? s.open(before) : s.size();  // vector<int> name(3); も、宣言
    while (type < s.size() && type > s.tokens[i].statement) {
        type = s.previous(type);
        if (!s.word(type) && s[type] != "::") break;
        if (type == s.tokens[i].statement) return false;
    }
    if (s[after] == "<") after = s.next(s.close(after));
    return (s[after] == "(" || (s[after] == "[" && s[s.next(s.close(after))] == "(")) && !shadowed(s, i);
}
}  // namespace
[[noreturn]] static void failUnmarked(const Source& s, size_t at, const std::string& name, size_t call) {
    s.fail(at, name + " に __device__ がない: カーネルから呼ぶ (" + std::to_string(s.tokens[call].line) +
                   " 行目) 関数の頭には、__device__ を付ける");
}

static void refuseForgotten(const Source& s, const Names& n) {
    for (size_t i = 1; i < s.size(); i++) {
        if (s[i] != "<<<") continue;
        size_t k = s.previous(i);
        if (s[k] == ">") k = s.previous(s.open(k));
        const auto launched = n.hosts.find(s[k]);
        if ((launched != n.hosts.end() || (n.devices.count(s[k]) && !n.own.count(s[k]))) && !n.kernels.count(s[k]))
            s.fail(launched != n.hosts.end() ? launched->second : k,
                   "起動する " + s[k] + " に __global__ がない: __global__ void " + s[k] + "(…) と書く");
    }
    for (size_t i = 1; i < s.size(); i++) {
        const std::string &name = s[i], &before = s[s.previous(i)];
        if (!s.word(i)) continue;
        const auto host = n.hosts.find(name);
        const bool known = host != n.hosts.end(), own = n.own.count(name), kernel = n.kernels.count(name),
                   device = n.devices.count(name);
        const Scope* const caller = s.named(i);
        const bool either = s.mayRunOnDevice(caller) && !s.onDevice(caller);  // __host__ __device__ の関数の中
        const auto onHost = [&] { return isHost(s, s.function(i), n.macros); };
        size_t after = s.next(i);
        if (n.constants.count(name) && s.onDevice(s.named(i)) && before != "." && before != "->" && !shadowed(s, i)) {
            while (s[after] == "[") after = s.next(s.close(after));
            if (s[after] == "=")
                s.fail(i, "__constant__ の " + name + " には、カーネルからは書けない: cudaMemcpyToSymbol で写す");
        }
        if ((n.constants.count(name) || n.symbols.count(name)) && onHost() && !shadowed(s, i)) {
            while (s[after] == "[") after = s.next(s.close(after));
            static const Words sets = {"=", "+=", "-=", "++", "--"}, gets = {"=", "+", "return", "<<"};
            if (sets.count(s[after]) || gets.count(before) ||
                (before == "," && s.tokens[i].statement < i && s[s.tokens[i].statement] == "printf"))
                s.warn(i, name + " はデバイスの変数で、ホストからは読み書きできない: cudaMemcpy" +
                              (sets.count(s[after]) ? "To" : "From") + "Symbol で写す");
        }
        if (kernel && !device && !own && !known && calls(s, i))
            s.fail(i, name + " はカーネルである: " + name + "<<<ブロックの数, スレッドの数>>>(…) と起動する");
        // nvcc は、__host__ の付いた関数からなら、constexpr のものを呼ばせ、ほかのものも、カーネルが使わなければよい
        if (known && !device && !kernel && name != "main" && calls(s, i)) {
            bool reached = s.onDevice(caller);
            const bool constant = s.has(s.tokens[host->second].statement, host->second, "constexpr");
            for (size_t k = 1; k < s.size() && either && !constant && !reached; k++)
                reached = s[k] == s[caller->name] && s.onDevice(s.named(k)) && calls(s, k);
            if (reached) failUnmarked(s, host->second, name, i);
        }
        const bool plain = either && s.scopes[caller->parent].kind != Scope::type && s.named(i) == s.function(i) &&
                           !s.has(caller->head, caller->name, "template") && !n.readsArchitecture;
        if (device && !n.both.count(name) && !own && !known && calls(s, i) && (onHost() || plain))
            s.fail(i, name + " は __device__ の関数で、ホストからは呼べない: 呼ぶなら __host__ も付ける");
        const bool shared = name == "__shared__", kernelMark = name == "__global__";
        if ((shared ? onHost()
                    : name == "__device__" || name == "__constant__" || name == "__managed__" || kernelMark) &&
            s.tokens[i].statement == i && (shared || s[s.next(i)] != "__shared__") && s.function(i) &&
            s.function(i)->kind == Scope::function && s.function(i)->open < i &&
            s.scopes[s.tokens[i].scope].kind != Scope::type && s.close(s.function(i)->open) < s.size())
            s.fail(i, shared       ? "__shared__ は、カーネルと __device__ の関数の中でだけ使える"
                      : kernelMark ? "関数の中に関数は書けない: カーネルは外に置く。これより前の } も確かめる"
                                   : name + " の変数は、関数の外に置く");
        const bool variable = builtins.count(name) && s[s.next(i)] == ".";
        if (!variable && (!isDeviceFunction(name) || known || device || !calls(s, i))) continue;
        if (own || s.tokens[i].inDefine) continue;
        static const Pattern changed = "* . W =|+=|-=|*=|/=|++|--";
        if (variable && !s.match(i, changed).empty())
            s.fail(i, name + " は書き換えられない: int i = " + name + ".x; のように、自分の変数に写して変える");
        if (!onHost()) continue;
        const bool main = s[s.function(i)->name] == "main";
        if (!n.readsArchitecture || main || variable)
            s.fail(i, name + " は、カーネルの中でだけ使える: " +
                          (main ? variable ? "ホストでは、起動に書いた数を使う" : "main からは呼べない"
                                : s[s.function(i)->name] +
                                      " がカーネルなら __global__ を、カーネルから呼ぶなら __device__ を付ける"));
    }
}

// ---------------------------------------------------------------- クラスのメンバ、演算子、コンストラクタへの付け忘れ
// 型の名前が、同じ関数の中の宣言から分かるものだけを見る
namespace {
using Classes = std::map<std::string, std::map<std::string, size_t>>;  // 型、その関数か、その型を左に取る演算子
const Words qualifiers = {"*", "&", "const", "__restrict__"}, marks = {"__device__", "__global__"};

size_t typeBefore(const Source& s, size_t name, bool& pointer) {  // 宣言された名前の前の、型の名前
    size_t t = s.previous(name);
    for (; qualifiers.count(s[t]); t = s.previous(t)) pointer = pointer || s[t] == "*";
    return s[t] == ">" ? s.previous(s.open(t)) : t;
}
std::string className(const Source& s, const Scope& c) { return s[s.previous(s.find(c.head, c.open, ":"))]; }
Classes classesIn(const Source& s, const Words& macros) {  // 印のないもの
    static const Words ends = {"operator", "(", ";", "{", "}", "="};
    Classes all, marked;
    for (size_t i = 1; i < s.size(); i++) {
        const Scope& in = s.scopes[s.tokens[i].scope];
        const bool member = in.kind == Scope::type;
        if (s.tokens[i].statement != i || (!member && in.kind != Scope::file && in.kind != Scope::names)) continue;
        size_t name = i;
        while (name < s.size() && !ends.count(s[name])) name = s.next(name);
        const bool operates = s[name] == "operator";
        bool pointer = false;
        size_t open = operates ? s.next(s.next(name)) : s.next(name = s.nameBefore(i));
        while (operates && open < s.size() && s[open] != "(") open = s.next(open);
        if (open >= s.size()) continue;
        const std::string before = s[s.previous(name)], shown = (before == "~" ? "~" : "") + s.text(name, open);
        std::string type = member ? className(s, in) : before == "::" ? s[s.previous(s.previous(name))] : "";
        if (type.empty() && operates)
            type = s[typeBefore(s, s.declarators(s.next(open), s.close(open))[0].name, pointer)];
        size_t end = s.next(s.close(open));
        while (s.word(end)) end = s.next(end);
        bool is = s[end] == "=";  // = default、= delete
        for (size_t k = i; k < name; k++) is = is || marks.count(s[k]) || isMacro(s[k]) || macros.count(s[k]);
        if (!type.empty() && !kTypes.count(type)) (is ? marked : all)[type].insert({shown, name});
    }
    for (auto& [type, members] : marked)
        for (auto& m : members) all[type].erase(m.first);
    return all;
}
struct Type {
    std::string name;
    bool pointer;
};
Type typeOf(const Source& s, size_t i, const Classes& all) {  // 変数 i の型。分からなければ空
    const Scope* const f = s.named(i);
    for (size_t k = s.previous(i); f && k > f->head && k < s.size(); k = s.previous(k)) {
        if (s[k] != s[i]) continue;
        bool pointer = s[s.next(k)] == "[";
        size_t t = typeBefore(s, k, pointer);
        if (s[t] == ",")  // V a, b;
            for (auto& d : s.declarators(s.tokens[k].statement, s.statementEnd(s.tokens[k].statement)))
                if (d.name == k) t = s.tokens[k].statement;
        if (all.count(s[t])) return {s[t], pointer};
    }
    return {};
}
// メンバ i の型。同じ名前のメンバが、どのクラスでもその型のときだけ
Type memberType(const Source& s, size_t i, const Classes& all) {
    Type known{};
    for (size_t k = s.find(1, s.size(), s[i]); k < s.size(); k = s.find(k + 1, s.size(), s[i])) {
        bool pointer = s[s.next(k)] == "[";
        const size_t t = typeBefore(s, k, pointer);
        if (s.scopes[s.tokens[k].scope].kind != Scope::type) continue;
        if (!all.count(s[t]) || (!known.name.empty() && known.name != s[t])) return {};
        known = {s[t], pointer};
    }
    return known;
}
// e で終わる値の型: x か x[k] か y.x
Type typeEnding(const Source& s, size_t e, const Classes& all) {
    const bool element = s[e] == "]";
    if (element) e = s.previous(s.open(e));
    const std::string& before = s[s.previous(e)];
    if (!s.word(e) || before == "::") return {};
    const Type t = before == "." || before == "->" ? memberType(s, e, all) : typeOf(s, e, all);
    return element && !t.pointer ? Type{} : Type{t.name, t.pointer && !element};
}
}  // namespace

// 起動の k 番目の引数に渡したものの、印のない operator()。カーネルは、型を template で受け取る
static void refusePassed(const Source& s, size_t launch, const Classes& all) {
    size_t open = s.next(launch), name = s.previous(launch);
    while (open < s.size() && s[open] != ";" && !(s[open] == "(" && s[s.previous(open)] == ">"))
        open = s.next(s[open] == "(" ? s.close(open) : open);
    if (s[name] == ">") name = s.previous(s.open(name));
    const auto kernel = std::find_if(s.scopes.begin(), s.scopes.end(), [&](const Scope& f) {
        return f.kind == Scope::function && s[f.name] == s[name] && s.has(f.head, f.name, "template");
    });
    if (s[open] != "(" || kernel == s.scopes.end()) return;
    const auto given = s.declarators(s.next(open), s.close(open));
    const auto taken = s.declarators(s.next(s.next(kernel->name)), s.close(s.next(kernel->name)));
    for (size_t k = 0; k < std::min(given.size(), taken.size()); k++) {
        const size_t value = given[k].begin, after = s.next(value);
        const auto c = all.find(after == given[k].end ? typeOf(s, value, all).name : s[value]);
        size_t call = kernel->open;
        while (call < kernel->close && !(s[call] == s[taken[k].name] && s[s.next(call)] == "(")) call++;
        if (call == kernel->close) continue;
        if (c != all.end() && c->second.count("operator()"))
            failUnmarked(s, c->second.at("operator()"), c->first + "::operator()", call);
    }
}
static void refuseUnmarked(const Source& s, const Names& n) {
    const Classes all = classesIn(s, n.macros);
    for (size_t i = 1; i < s.size() && !all.empty(); i++) {
        if (s[i] == "<<<") refusePassed(s, i, all);
        const Scope* const f = s.named(i);
        if (!f || i <= f->open || !s.onDevice(f) || s.tokens[i].inDefine || s.skipped(i)) continue;
        const auto check = [&](const std::string& type, const std::string& member) {
            const auto c = all.find(type);
            if (c == all.end() || !c->second.count(member)) return;
            const size_t at = c->second.at(member);
            const bool inside = s.scopes[s.tokens[at].scope].kind == Scope::type;
            failUnmarked(s, at, (inside ? type + "::" : "") + member, i);
        };
        const size_t before = s.previous(i), after = s.next(i), owner = s.previous(before);
        const size_t open = s[after] == "<" ? s.next(s.close(after)) : after;
        if (!s.word(i)) {
            const Type left = typeEnding(s, before, all);
            if (!left.pointer && s[i] != "(" && s[i] != ")")
                check(left.name, "operator" + s[i] + (s[i] == "[" ? "]" : ""));
        } else if (s[before] == "." || s[before] == "->") {
            const Type left = typeEnding(s, owner, all);
            if (s[open] == "(" && left.pointer == (s[before] == "->")) check(left.name, s[i]);
        } else if (s[before] == "::") {
            if (s[open] == "(") check(s[owner], s[i]);
        } else if (all.count(s[i])) {  // C x; か C(…)
            static const Words begins = {"(", "{"}, none = {";", "["};
            const bool named = s.word(open);
            const size_t list = named ? s.next(open) : open, first = s.next(list);
            const bool empty = named && none.count(s[list]);
            if (!begins.count(s[list]) && !empty) continue;
            if (named) check(s[i], "~" + s[i]);
            const auto given = s.declarators(first, empty ? first : s.close(list));
            const bool one = given.size() == 1 && first < given[0].end && s.tokens[first].kind != Token::number;
            const bool copies =
                one && (s.next(first) < given[0].end || !s.word(first) || typeOf(s, first, all).name == s[i]);
            if (!copies) check(s[i], s[i]);
        } else if (s[open] == "(" && !s.word(before)) {
            const Type called = typeOf(s, i, all);
            if (!called.pointer) check(called.name, "operator()");
            const Scope& in = s.scopes[f->parent];
            if (called.name.empty() && !shadowed(s, i))
                check(in.kind == Scope::type           ? className(s, in)
                      : s[s.previous(f->name)] == "::" ? s[s.previous(s.previous(f->name))]
                                                       : "",
                      s[i]);
        }
    }
}

// Web の文字の書き方と、日本語の入力のまま打った空白や記号。コンパイラには、名前の一部に見える
static void refuseFullWidth(const Source& s, size_t i) {
    static const Pattern entity = "& lt|gt|amp|quot|nbsp ;";
    if ((!s.match(i, entity).empty() && s.find(1, i, s[s.next(i)]) == i) || s[i].find("#include &lt;") == 0)
        s.fail(i, "&lt; や &amp; は、Web ページの書き方である: 元の < や & を打つ");
    const bool directive = s[i].find("#include") == 0 || s[i].find("#define") == 0;
    const size_t end = std::min(directive ? s[i].find('/') : s[i].size(), s[i].size());
    for (size_t k = 0; (directive || s.word(i) || s.tokens[i].kind == Token::number) && k + 1 < end; k++) {
        const std::string c = s[i].substr(k, s[i][k] == '\xf0' ? 4 : 3);  // \xf0 は絵文字
        if (c == "\u3000" || c.find("\u00a0") == 0 || (c >= "\u2000" && c <= "\u200f") || c == "\ufeff")
            s.fail(i, "全角の空白か、見えない文字がある: 消して、半角で打つ");
        if ((c >= "\uff01" && c <= "\uff5e") || (c >= "\u2010" && c <= "\u206f") || c[0] == '\xf0' || s[i] == "ー" ||
            (c[0] == '\xe3' && std::string("、。「」・").find(c) < 15))
            s.fail(i, "全角の " + c + " がある: 半角で打つ");
    }
}

// カーネルから見えない、ホストの変数: 関数の外にあり、__device__ などの印も、決まった値もないもの
static void refuseHostVariables(const Source& s) {
    static const Words others = {"typedef",   "using",  "template", "struct", "class", "union", "enum",
                                 "namespace", "friend", "operator", "extern", "asm",   "goto",  "static_assert"};
    std::map<std::string, size_t> hosts;
    for (size_t i = 1; i < s.size(); i++) {
        const Scope::Kind kind = s.scopes[s.tokens[i].scope].kind;
        const size_t end = s.tokens[i].statement == i && s.word(i) ? s.statementEnd(i) : s.size();
        if (end == s.size() || s.tokens[i].inDefine || (kind != Scope::file && kind != Scope::names)) continue;
        bool other = false;  // マクロは、大きさや値の中なら、ただの数である
        for (size_t k = i, body = false; k < end; k++) {
            body = body || s[k] == "[" || s[k] == "=";
            other = other || others.count(s[k]) || (s[k][0] == '_' && s[k].back() == '_') || (!body && isMacro(s[k]));
        }
        const bool fixed = s.has(i, end, "const") || s.has(i, end, "constexpr");
        for (auto& d : other ? std::vector<Declarator>() : s.declarators(i, end)) {
            const size_t after = s.next(d.name);
            const bool function = s[after] == "(" && s.tokens[s.next(after)].kind != Token::number;
            if (d.name >= d.end || d.name == i || function || s[after] == ":") break;
            if (!fixed || s[after] == "[" || s[s.previous(d.name)] == "*" || s.has(i, d.name, "array"))
                hosts[s[d.name]] = d.name;
        }
    }
    for (size_t i = 1; i < s.size(); i++) {
        const auto host = hosts.find(s[i]);
        const Scope* const f = s.named(i);
        const size_t before = s.previous(i);
        if (host == hosts.end() || !s.onDevice(f) || i < f->open || s.tokens[i].inDefine || shadowed(s, i)) continue;
        if (s.word(before) ? !statements.count(s[before]) : s.tokens[i].statement == s.previous(before)) continue;
        if (s[before] == "." || s[before] == "->" || s[before] == "::" || s[s.previous(before)] == "sizeof") continue;
        const Token& declared = s.tokens[host->second];
        int scope = f->parent;
        while (scope > declared.scope) scope = s.scopes[scope].parent;  // ほかの名前空間のものではないか
        if (scope == declared.scope && s.scopes[f->parent].kind != Scope::type)
            s.fail(i, "カーネルからは、ホストの変数 " + s[i] + " は見えない: __constant__ を付けて写すか、引数で渡す");
    }
}

void refuseHostCode(const Source& s) {
    for (size_t i = 0; i < s.size(); i++) refuseFullWidth(s, i);
    for (size_t i = 0; i < s.size(); i = s.next(i)) tell(s, i, refused, true);
    Words own;  // 読者の書いた関数
    for (const Scope& f : s.scopes) own.insert(s[f.name]);
    const bool usesStd = s.text(0, s.size()).find("using namespace std") != std::string::npos;
    for (const Scope& f : s.scopes) {
        if (f.kind != Scope::function) continue;
        if (s.has(f.head, f.open, "__global__")) refuseInKernel(s, f);
        if (s.onDevice(&f) && f.close < s.size()) refuseOnDevice(s, f, own, usesStd);
    }
    std::string sentence;
    if (unbalanced(s, sentence) < s.size()) return;  // 括弧の対応を、コンパイルしてから言う (explain.cpp)
    const Names names = namesIn(s);
    refuseForgotten(s, names);
    refuseUnmarked(s, names);
    refuseHostVariables(s);
}
