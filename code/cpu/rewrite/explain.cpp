// explain.cpp: コンパイラとリンカの言う警告と、初めの誤りを、読者のファイルの行と、日本語の 1 文にする。ページでも同じ
//   rewrite --explain 記録
//     → work/my.cu:12: 文の終わりの ; がない     表になければ、コンパイラの言葉も添える。言うことがなければ、1 で終わる
#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "rewrite.h"

namespace {
struct Row {
    // * と ~ は何でも、^ は、次が大文字であること。k 番目の * に合ったものは $k。| はどれか。
    // @ は宣言のない名前 (それが $1)。上のものほど先に試す
    const char *pattern, *sentence;
};
const char kTypo[] = "$1 という名前はない: $2 の書き誤りか、要る #include がない";
const char kRare[] =
    "$1 という名前はない: 綴りを確かめる。まれに使うものは CPU デバイスにはない: 使わずに書くか、GPU で動かす";
const char kTexture[] = "テクスチャとサーフェスは CPU デバイスにはない: 普通の配列と __ldg() で読むか、GPU で動かす";
const char kUnknown[] = "$1 という名前はない: 綴り、要る #include、使う所より前の、同じ { } の中で宣言したかを確かめる";
const char kType[] = "$1 という型はない: 綴りと、要る #include を確かめる。変数の名前なら、前に型を書く";
const char kOperands[] =
    "この 2 つの型では計算できない: 型を確かめる (% と & と ^ は整数だけである: 余りは fmodf、べき乗は powf)";
const char kArray[] = "配列は、まとめて代入できない: 要素ごとに代入する";
// 宣言のない名前を、g++ と clang++ がどう言うか
const Row rows[] = {
    {"@tex*D*|surf*D*|texture|surface|cuda*Texture*|cuda*Surface*|cuda*Array*|cuda*Channel*|cudaResource*", kTexture},
    {"aggregate '*cuda*' has incomplete type*|variable has incomplete type *cuda*", kTexture},
    {"@cudaIpc*|cudaGraphics*|cudaGL*|cuda*External*",
     "ほかのプロセスや描画の API との共有は CPU デバイスにはない: その部分を外すか、GPU で動かす"},
    {"@cu^*", "ドライバ API (cu…) は CPU デバイスにはない: cuda… の関数 (ランタイム API) で書くか、GPU で動かす"},
    {"@include", "#include の # がない"},
    {"@__syncthreads", "__syncthreads の後ろの () がない"},
    {"@_*sync*hread*|syncthreads", "ブロックの全員を待つ関数は __syncthreads() と書く: 綴りを確かめる"},
    {"@cudaThreadSynchronize", "古い名前である: cudaDeviceSynchronize と書く"},
    {"@cout|cerr|cin|endl", "std::$1 と書く。#include <iostream> も要る"},
    {"@sort|fill|copy|swap|reverse|shuffle|generate|max_element|min_element|transform",
     "std::$1 と書く。#include <algorithm> も要る"},
    {"@accumulate|iota|inner_product|partial_sum", "std::$1 と書く。#include <numeric> も要る"},
    {"@INT_M*|UINT_MAX|LONG_M*|LLONG_M*", "$1 という名前はない: #include <climits> が要る"},
    {"@FLT_*|DBL_*", "$1 という名前はない: #include <cfloat> が要る"},
    {"@half|half2|__half*|__float2half*|__h*2", "$1 という名前はない: 半精度には #include <cuda_fp16.h> が要る"},
    {"@norm*d*|rnorm*|rhypot*|rcbrt*|erf*inv*|normcdf*|*sinpi*|cospi*|mulhi|umulhi|mul24|umul24", kRare},
    {"@*bfloat16*", "$1 という名前はない: #include <cuda_bf16.h> が要る"},
    {"@vector|string|array|map|set|deque|tuple|thread|random|chrono",
     "std::$1 と書き、要る見出しを取り込む: #include <$1>"},
    {"@__shfl*|__ballot|__any|__all",
     "ワープの関数は、名前の終わりに _sync を付け、1 つ目の引数に、加わるレーンのマスク (全員なら 0xffffffff) を書く"},
    {"@elif|elseif|elsif", "$1 はない: else if と書く"},
    {"@null|None|nil", "$1 はない: nullptr と書く"},
    {"@True|False|TRUE|FALSE", "$1 はない: 小文字で true、false と書く"},
    {"@T|U", "$1 という型はない: 関数の頭のすぐ前に、template <class $1> と書く"},
    {"@_*shared*|shared", "共有メモリの変数は __shared__ と書く"},
    {"@let|var|def|function", "$1 はない: 変数も関数も、int や float のように、型から書く"},
    {"@begin",
     "begin という名前はない。for ( : ) の行なら、右に書けるのは、配列か、要素の並びである: "
     "0 から n まで数えるなら for (int k = 0; k < n; k++) と書く"},
    {"invalid range expression*",
     "for ( : ) の右に書けるのは、配列か、要素の並びである: n 回数えるなら for (int k = 0; k < n; k++) と書く"},
    {"static assertion failed: *|static assertion failed due to requirement '~': *|~is unavailable: *|"
     "~call to unavailable function '~': *|~with attribute error: *",
     "$1"},
    {"non-constant condition for static assertion*|*variably modified type*|"
     "static assertion expression is not an integral constant*|"
     "invalid application of 'sizeof' to *incomplete type '*[]'*",
     "共有メモリの配列の大きさは、コンパイルのときに決まる定数にする: 動かすときに決めるなら "
     "extern __shared__ 型 名前[]; と書き、<<< >>> の 3 つ目にバイト数を渡す"},
    {"'*' was not declared in this scope; did you mean '*'?|"
     "use of undeclared identifier '*'; did you mean '*'?|unknown type name '*'; did you mean '*'?",
     kTypo},
    {"*'uint3'*|*struct uint3'*|*struct dim3'*|no match for call to '(uint3*|*'dim3'*",
     "threadIdx、blockIdx、blockDim、gridDim と、dim3 の変数は、3 つの数の組である: 後ろに .x (か .y、.z) を付ける"},
    {"*'launch(*|*call to 'launch'*",
     "<<< >>> の中が合わない: <<<ブロックの数, スレッドの数>>> と書く。"
     "3 つ目は共有メモリのバイト数、4 つ目はストリームである"},
    {"*allocateAs*",
     "cudaMalloc や cudaMallocManaged の 1 つ目には、ポインタの変数のアドレスを渡す: &p のように、前に & を付ける"},
    {"*firstArgument*",
     "cudaMalloc や cudaMallocManaged の引数が合わない: "
     "ポインタ p を先に宣言して、cudaMalloc(&p, バイト数) のように書く"},
    {"*cpu::same<*|no matching function for call to 'atomic*|operand type '*' is incompatible with argument *",
     "アトミック演算の引数が合わない: 1 つ目は書く所のアドレス (&x か p + i)、2 つ目は同じ型の値"},
    {"no matching function for call to 'shfl*",
     "シャッフルの引数が合わない: 1 つ目は加わるレーンのマスク (全員なら 0xffffffff)、2 つ目は渡す値、3 つ目は相手"},
    {"*'void(*binary 'operator<<'*|invalid operands to binary expression ('void (*",
     "起動の < と > の数が違う: <<<ブロックの数, スレッドの数>>> と、3 つずつ書く"},
    {"'*' is not a member of 'std'*|no member named '*' in namespace 'std'*|no type named '*' in namespace 'std'*",
     "std::$1 が見つからない: 綴りを確かめ、要る見出し (cout なら <iostream>、sort なら <algorithm>) を取り込む"},
    {"'*' is not a member of 'cooperative_groups*|no member named '*' in namespace 'cooperative_groups*|"
     "'*' is not a member of 'cuda*|no member named '*' in namespace 'cuda*",
     kRare},
    {"'*' is not a member of '*'*|no ~ named '*' in namespace '*'*",
     "$2 の中に $1 という名前はない: 綴りと、要る #include を確かめる"},
    {"'*' was not declared in this scope*|use of undeclared identifier '*'*", kUnknown},
    {"unknown type name '*'*|'*' does not name a type*|'*' has not been declared*", kType},
    {"expected initializer before '==*|invalid '==' at end of declaration*", "値を入れるのは = 1 つである"},
    {"expected ';'*|expected *';'* before *|expected initializer before *", "文の終わりの ; がない"},
    {"expected unqualified-id before numeric constant|unable to find numeric literal *|invalid suffix *|"
     "too many decimal points *|invalid digit * in octal *",
     "数の書き方が違う: 桁を , で区切れず (1,000 は 1000)、初めの 0 は 8 進数で、名前は数字から始められない"},
    {"named return values *|only constructors take *|expected function body *",
     "関数の中身は、引数の ( ) のすぐ後ろの { } に書く"},
    {"new types may not be defined in a return type*", "前の struct や enum の } の後ろの ; がない"},
    {"expected unqualified-id before '{'*", "関数の頭の ( ) の後ろの ; が余っている"},
    {"expected '}'*|expected unqualified-id*|expected declaration*|expected constructor*|expected parameter declarator|"
     "extraneous closing brace*",
     "ここには書けない: 関数の外に文があるか、これより前の ; や { } が、余っているか足りない"},
    {"expected '*'*", "$1 がない: 括弧や記号の対応を確かめる"},
    {"* cannot be used as a function|called object type * is not a function*",
     "関数ではないものの後ろに ( ) がある: 配列の要素は [ ] で、掛け算は * で書く"},
    {"'else' without a previous 'if'", "else の前に、対になる if がない: if の ( ) の後ろの ; と { } を確かめる"},
    {"ISO C++ forbids declaration of '*' with no type*|a type specifier is required*|"
     "C++ requires a type specifier*",
     "型がない: 変数や関数の名前の前に、型を書く"},
    {"two or more data types in declaration*|cannot combine with previous *", "型が 2 つある: 1 つにする"},
    {"*'*main' must return 'int'*|cannot declare '::main' *|variable named 'main' *",
     "main は int の関数である: int main() と書く"},
    {"default argument missing *|missing default argument *",
     "決まった値 (= …) のある引数の後ろの引数には、どれも決まった値が要る"},
    {"macro * arguments, but takes *|macro * requires * arguments*|"
     "too many arguments provided to function-like macro*|too * arguments to function *",
     "引数の数が合わない: 関数やカーネルの宣言と比べる"},
    {"expected type-specifier before*|expected a type", "ここには型の名前が要る"},
    {"incompatible types in assignment of *|array type * is not assignable", kArray},
    {"unterminated comment|unterminated /* comment", "この行の /* を閉じる */ がない"},
    {"expected primary-expression*|expected expression*",
     "ここには式が要る: 前の記号が余っているか、値を書き忘れている"},
    {"*function*definition is not allowed here*", "関数の中に関数は書けない: 外に出す。これより前の } も確かめる"},
    {"expected identifier before '('*|expected identifier", "条件は、全体を ( ) で囲む: if ((…) && (…)) と書く"},
    {"invalid preprocessing directive*", "# で始まる行の綴りが違う。注釈なら // と書く"},
    {"*expect* \"FILENAME\" or*", "#include の後ろは、<名前> か \"名前\" と書く"},
    {"typedef redefinition *", "同じ名前が、もうある: 別の名前にする"},
    {"redefinition of '*'*|redeclaration of '*'*|conflicting declaration '*'*|declaration of '*' shadows a parameter*",
     "$1 は、もう決めてある: 別の名前にする"},
    {"no matching function for call to '*(*|no matching function for call to '*'*",
     "$1 を、この引数では呼べない: 引数の数と型と順番、< > の中を確かめる"},
    {"invalid type argument of unary '*' *|indirection requires pointer *",
     "前に * を付けられるのは、ポインタである: 要素は p[i] で、2 乗は x * x と書く"},
    {"'*' is not captured|variable '*' cannot be implicitly captured *", "$1 が [ ] の中にない: [=] か [$1] と書く"},
    {"label '*' used but not defined|use of undeclared label '*'", "goto の行き先の $1: がない"},
    {"switch quantity not an integer|statement requires expression of integer type *",
     "switch の ( ) の中は、整数にする"},
    {"'*' is not a namespace-name|expected namespace name", "そういう名前空間はない: 綴りを確かめる (std など)"},
    {"storage class specified for parameter *|invalid storage class specifier in function declarator",
     "引数に __shared__ や static は付けられない: 普通のポインタで受け取る"},
    {"call to function '*' that is neither visible *", kUnknown},
    {"unexpected ';' before *", "; が余っている: #define の終わりの ; も、値に含まれる"},
    {"extended character *|unexpected character *|character <U+* not allowed in an identifier",
     "文字列と注釈の外に、半角でない記号がある: 半角の , . * / - <= >= != などで書く"},
    {"break statement not *|continue statement not *|'break' statement not *|'continue' statement not *",
     "break と continue は、ループの中でだけ使える (break は switch の中でも): スレッドを終えるなら return"},
    {"array must be initialized *|array initializer must be *",
     "配列の初めの値は { } で書く。配列からは、要素ごとに写す"},
    {"uninitialized 'const *|default initialization of an object of const type *|* declared as reference but not *|"
     "declaration of reference variable *|declaration of '*' has no initializer|* with deduced type * requires *",
     "const と auto の変数、参照には、宣言する所で値を入れる"},
    {"jump to *|cannot jump from *", "変数の宣言を飛び越している: case の中を { } で囲む"},
    {"duplicate case value*", "同じ値の case が 2 つある"},
    {"structured binding *|decomposition declaration *|brackets are not allowed here*",
     "配列の [ ] は、名前の後ろに書く: int v[3]"},
    {"'*' is private within *|'*' is a private member *", "$1 は class の外から使えない: public: の後ろに置く"},
    {"invalid use of void expression|cannot take the address of an rvalue of type 'void'",
     "void の値は使えない: (void**) の * の付け忘れか、値を返さない関数の結果である"},
    {"void value not ignored*|* with an rvalue of type 'void'*",
     "カーネルの起動と void の関数は、値を返さない: 結果は、引数のポインタの指す所から受け取る"},
    {"return-statement with a value, in function returning 'void'*|"
     "void function '*' should not return a value*",
     "void の関数 (カーネルはいつも void) は値を返せない: 結果は、引数のポインタの指す所に書く"},
    {"invalid conversion from 'void*' to '*'*|cannot initialize * with an rvalue of type 'void *'|"
     "assigning to '*' from * type 'void *'",
     "void* は、C と違って、ほかのポインタになるときに型が要る: (float*)malloc(…) のように書く"},
    {"no known conversion from '*' to '*' for *|invalid conversion from '*' to '*'*|cannot convert '*' to '*'*|"
     "conversion from '*' to non-scalar type '*' requested|no viable conversion from '*' to '*'*",
     "型が合わない: $1 を $2 にはできない。引数の順番、& や * の付け忘れを確かめる"},
    {"cannot initialize ~ of type '*' with an ~ of type '*'*|assigning to '*' from ~type '*'*",
     "型が合わない: $2 を $1 にはできない。引数の順番、& や * の付け忘れを確かめる"},
    {"assignment of read-only *|*crement of read-only *|cannot assign to *const*|"
     "read-only variable is not assignable*",
     "const のものは書き換えられない (比べるなら = ではなく ==)"},
    {"request for member '*' in '~', which is of ~type '*'*|no member named '*' in '*'*",
     "$2 に $1 というメンバはない: . の前と後を確かめる"},
    {"member reference base type '*' is not a structure*", "$1 は構造体ではない: . の前を確かめる"},
    {"'*' has no member named '*'*", "$1 に $2 というメンバはない: . の前と後を確かめる"},
    {"invalid operands *", kOperands},
    {"no match for 'operator[]*|type '*' does not provide a subscript operator",
     "[ ] は、配列かポインタに付ける: float4 などの要素は .x .y .z .w"},
    {"no match for 'operator*", kOperands},
    {"invalid types '*[float]' for array subscript*|invalid types '*[double]' for array subscript*|"
     "array subscript is not an integer*",
     "[ ] の中の番号は、整数にする"},
    {"subscripted value is not*|invalid types '*' for array subscript*", "[ ] は、配列かポインタに付ける"},
    {"expression is not assignable*|lvalue required as left operand*", "= の左には、変数か、配列の要素を書く"},
    {"missing terminating *", "文字列の終わりの引用符がない"},
    {"*: No such file or directory|'*' file not found*", "#include の $1 が見つからない: 綴りと、置いた所を確かめる"},
    {"undefined reference to `main'*|*undefined symbol: *main", "main がない: プログラムは int main() から始まる"},
    {"undefined reference to `*'*|~undefined symbol: *",
     "$1 の中身がない: 宣言だけで、どのファイルにも { } がない。綴りと引数の型も確かめる"},
};
const char kComma[] =
    ", で並べた値は、最後のものだけになる: 添字は a[i][j] か a[i * n + j]、dim3 は dim3 b(x, y) と書く";
const char kQuote[] = "' ' で囲めるのは 1 文字である: 文字列は \" \" で囲む";
// 警告のうち、言うもの。文が空なら言わない: long と long long は、どちらも 64 ビットである
const Row warnings[] = {
    {"format * expects argument of type 'long*', but ~long*|format * expects argument of type 'size_t*', but ~long*|"
     "format specifies type '~long* but ~long*",
     ""},
    {"format * expects argument of type *|format specifies type *",
     "書式と値の型が合わない: int は %d、float と double は %f、long long は %lld、size_t は %zu、文字列は %s "
     "(scanf は、&x を受け取り、double は %lf)"},
    {"format * expects a matching *|more '%' conversions than *|too many arguments for format|data argument not used *",
     "書式の % の数と、渡した値の数が違う"},
    {"*operand of comma operator has no effect|top-level comma expression *", kComma},
    {"statement has no effect|for increment expression has no effect|value computed is not used|"
     "expression result unused*|*comparison result unused",
     "求めた値を使っていない: 変数に入れるなら = や +=、返すなら return と書く"},
    {"no return statement *|control reaches end of non-void *|non-void function does not return *",
     "値を返す関数が、return せずに終わることがある: 呼んだ側に渡る値は決まらない"},
    {"~ local variable '*' returned|~ stack memory associated with *|function returns address of local variable*",
     "関数の終わりで消える変数を返している: 番地や参照ではなく値を返すか、置く所を引数で受け取る"},
    {"division by zero*|remainder by zero*", "0 で割っている"},
    {"*shift count >= width of type", "ずらす数が、型のビットの数以上である: 1ull << 32 のように、64 ビットの型にする"},
    {"integer overflow in expression *|overflow in expression; *", "int に入らない: 1ll * a * b のように計算する"},
    {"suggest parentheses around assignment *|using the result of an assignment as a condition *",
     "( ) の中の = は、比べるのではなく代入である: 比べるなら == と書く"},
    {"comparisons like ~ do not have *|chained comparison *", "a < b < c とは比べられない: a < b && b < c と書く"},
    {"multi-character character constant|character constant too long *", kQuote},
};
using Strings = std::vector<std::string>;

bool fits(const char* pattern, const std::string& text, size_t at, Strings& found) {
    for (; *pattern && *pattern != '*' && *pattern != '~'; pattern++)
        if (*pattern == '^' ? !isupper(text[at]) : text[at++] != *pattern) return false;  // 終わりの次は '\0'
    if (!*pattern) return at == text.size();
    for (size_t end = at; end <= text.size(); end++) {
        const size_t known = found.size();
        if (*pattern == '*') found.push_back(text.substr(at, end - at));
        if (fits(pattern + 1, text, end, found)) return true;
        found.resize(known);
    }
    return false;
}
bool fitsAny(const char* patterns, const std::string& text, Strings& found) {
    std::istringstream all(patterns);
    for (std::string one; found.clear(), std::getline(all, one, '|');)
        if (fits(one.c_str(), text, 0, found)) return true;
    return false;
}
std::string filled(const char* sentence, const Strings& found) {
    std::string all;
    for (const char* c = sentence; *c; c++)
        if (*c == '$' && size_t(c[1] - '1') < found.size()) all += found[size_t(*++c - '1')];
        else all += *c;
    return all;
}
struct Place {
    std::string file, text;
    int line = 0;
    // 読者のもの。コンパイラと CPU デバイスの見出しではない
    bool own() const {
        return line > 0 && file.find("cpu/include/") == std::string::npos && file.compare(0, 9, "/usr/incl") != 0 &&
               file.compare(0, 8, "/usr/lib") != 0;
    }
};
// work/my.cu:12:5: error: 文
Place placeOf(const std::string& line) {
    Place p;
    size_t from = std::min(line.find(".cu"), line.find(':'));
    while ((from = line.find(':', from)) != std::string::npos && !isdigit(line[from + 1])) from++;
    if (from == std::string::npos) return p;
    p.file = line.substr(0, from);
    p.line = atoi(line.c_str() + from + 1);
    return p;
}
// 括弧の合わない所。なければ tokens.size()
size_t unbalanced(const Source& s, std::string& sentence) {
    std::vector<size_t> open;
    const auto first = [&](size_t i) {  // その行の頭の、空白の数。行の途中なら -1
        const size_t before = i - 1;
        if (s.tokens[before].kind != Token::blank) return -1;
        const size_t k = s[before].rfind('\n');
        return k == std::string::npos ? -1 : int(s[before].size() - k);
    };
    const auto indent = [&](size_t i) {  // i のある行の頭の
        while (i > 1 && first(i) < 0) i--;
        return i > 1 ? first(i) : 1;
    };
    size_t suspect = s.size();  // 字下げの合わない {
    for (size_t i = 1; i < s.size(); i++) {
        const Token& t = s.tokens[i];
        if (t.kind == Token::directive && t.text.find("#el") == 0) return s.size();  // どちらかだけがコンパイルされる
        if (t.kind != Token::symbol || t.inDefine || t.text.size() != 1) continue;
        if (t.text == "(" || t.text == "[" || t.text == "{") open.push_back(i);
        const char* const mate = t.text == ")" ? "(" : t.text == "]" ? "[" : t.text == "}" ? "{" : nullptr;
        if (!mate) continue;
        if (open.empty())
            return sentence = t.text + " が余っている: これより前に、" + mate + " の忘れもないか確かめる", i;
        if (s[open.back()] != mate) {
            const size_t wrong = s[open.back()] == "{" ? i : open.back();
            return sentence = s[wrong] + " の相手がない: 括弧の対応を確かめる", wrong;
        }
        if (*mate == '{' && suspect == s.size() && first(i) > 0 && first(i) < indent(open.back()))
            suspect = open.back();
        open.pop_back();
    }
    if (open.empty()) return s.size();
    sentence = "この行の { を閉じる } がない: 括弧の対応を確かめる";
    return suspect < s.size() ? suspect : open.front();
}
}  // namespace

int explain(const std::string& log) {
    std::ifstream in(log);
    Strings lines;
    for (std::string line; std::getline(in, line); lines.push_back(line))
        for (const char* quote : {"\u2018", "\u2019"})  // g++ の引用符
            for (size_t k; (k = line.find(quote)) != std::string::npos;) line.replace(k, 3, "'");
    std::map<std::pair<std::string, int>, std::string> warned;  // 行の言葉。空なら、読者には言わない
    for (auto& line : lines) {
        const size_t said = line.find(" warning: "), own = line.find(" 警告: ");
        if (said == std::string::npos && own == std::string::npos) continue;
        const Place p = placeOf(line);
        if (own < line.size()) warned[{p.file, p.line}] = line.substr(own + strlen(" 警告: "));
        for (const Row& row : warnings) {
            Strings name;
            const std::string text = said < line.size() ? line.substr(said + 10) : "";
            if (!p.own() || !fitsAny(row.pattern, text.substr(0, text.rfind(" [-")), name)) continue;
            warned.insert({{p.file, p.line}, filled(row.sentence, name)});
            break;
        }
        warned.insert({{"", 0}, ""});
    }
    Place at;
    size_t k = 0;
    for (; k < lines.size() && at.text.empty(); k++)
        for (const char* word : {" fatal error: ", " error: ", "undefined reference to", "undefined symbol: "}) {
            const size_t found = lines[k].find(word);
            if (found == std::string::npos || !at.text.empty() || lines[k].find("collect2") == 0) continue;
            if (lines[k].find("' declared void") != std::string::npos) continue;  // すぐ後に、わけを言う
            at = placeOf(lines[k]);
            at.text = lines[k].substr(*word == ' ' ? lines[k].find(": ", found) + 2 : found);
        }
    for (auto& [place, sentence] : warned)
        if (at.text.empty() && !sentence.empty())
            printf("%s:%d: 警告: %s\n", place.first.c_str(), place.second, sentence.c_str());
    if (at.text.empty()) return warned.empty();
    k--;
    // 見出しの中の誤りなら、そこへ来た読者の行。g++ は前に、clang++ は後に書く
    const auto look = [&](size_t i, const char* word) {
        const Place p = at.own() || lines[i].find(word) == std::string::npos ? Place() : placeOf(lines[i]);
        if (p.own()) at.file = p.file, at.line = p.line;
    };
    for (size_t i = k; i-- > 0;) look(i, "required from here");
    for (size_t i = k + 1; i < lines.size(); i++) look(i, " note: ");
    std::string text = at.text.substr(0, at.text.find(" [-")), sentence;
    // clang++ は、引数の合わないわけを、候補ごとに言う。候補が 1 つなら、それを g++ の書き方で
    size_t candidates = 0, p;
    std::string reason;
    for (size_t i = k + 1; i < lines.size() && text.find("no matching") == 0; i++) {
        candidates += lines[i].find(": candidate ") < lines[i].size();
        if ((p = lines[i].find("no known conversion")) < lines[i].size()) reason = lines[i].substr(p);
    }
    while ((p = reason.find(" *")) < reason.size()) reason.erase(p, 1);
    if (candidates == 1 && !reason.empty()) text = reason;
    for (const char* prefix : {"cpu_type_", "cpu_site_"})  // shared.cpp が付けた名前
        for (size_t i; (i = text.find(prefix)) != std::string::npos;) text.erase(i, 9);
    for (size_t i; (i = text.find(" {aka '")) != std::string::npos;) text.erase(i, text.find('}', i) + 1 - i);
    const bool known = at.own() && std::ifstream(at.file).peek() != EOF;
    if (known && text.find(" comment") == std::string::npos) {
        const Source s(at.file);
        const size_t wrong = unbalanced(s, sentence);
        if (wrong < s.size()) at.line = s.tokens[wrong].line;
        else if (text.find("';'") < text.find(" before ") || text.find("expected initializer") == 0) {
            // g++ は、次の行の頭 (__device__ などは飛ばす) を言うことがある
            size_t i = 1;
            while (i < s.size() && (s.skipped(i) || s.tokens[i].line < at.line)) i++;
            const size_t before = s.previous(i);
            const bool mark = s[i].compare(0, 2, "__") == 0 && s[before] != "}" && s[before] != ";";
            if (before < s.size() && (mark || text.find(" before '" + s[i] + "'") != std::string::npos))
                at.line = s.tokens[before].line;
        }
    }
    for (const Row& row : rows) {
        Strings name, found;
        const bool at = *row.pattern == '@' &&
                        fitsAny(
                            "'*' was not declared in this scope*|'*' has not been declared*|'*' does not name a*|"
                            "use of undeclared identifier '*'*|unknown type name '*'*|no template named '*'*|"
                            "'*' is not a member of 'std'*|"
                            "no member named '*' in namespace 'std'*|no type named '*' in namespace 'std'*",
                            text, name);
        if (!sentence.empty() || !fitsAny(row.pattern + at, at ? name[0] : text, found)) continue;
        if (at) found = name;
        const bool cuda = !found.empty() && (found[0].compare(0, 4, "cuda") == 0 || found[0].compare(0, 2, "__") == 0 ||
                                             found[0].compare(0, 7, "CUDART_") == 0);
        const auto initial = [&](const std::string& name) {
            return name.find_first_not_of('_') < name.size() ? tolower(name[name.find_first_not_of('_')]) : 0;
        };
        const bool far = row.sentence == kTypo && initial(found[0]) != initial(found[1]);  // print に rint
        const char* const said =
            far     ? kUnknown
            : !cuda ? row.sentence
            : row.sentence == kTypo
                ? "$1 という名前はない: $2 の書き誤りでなければ、CPU デバイスにない、まれに使うものである: "
                  "使わずに書くか、GPU で動かす"
            : row.sentence == kUnknown || row.sentence == kType ? kRare
                                                                : row.sentence;
        sentence = filled(said, found);
    }
    const std::string& why = warned[{at.file, at.line}];  // 警告が、わけを言っている
    if (why == kQuote || (why == kComma && sentence == kArray)) sentence = why;
    if (sentence.empty() && text.find("\xE3\x81") < text.size()) sentence = text;  // 平仮名: CPU デバイスの文
    if (sentence.empty()) sentence = "コンパイルできない。コンパイラの言葉は次の通り\n  " + text;
    printf("%s%s\n", at.own() ? (at.file + ":" + std::to_string(at.line) + ": ").c_str() : "", sentence.c_str());
    return 0;
}
