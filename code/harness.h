// harness.h: リストを動かす側の道具。中身は harness.cpp にある。
// 総和でないものを動かす節は、Trial を 1 つ書いて、節のフォルダに置く (5.5/particles.cpp)。
#pragma once
#include "timer.h"

#include <functional>
#include <limits>
#include <random>
#include <string>

namespace book {

#ifdef CPU_DEVICE
constexpr bool kCpuDevice = true;  // CPU デバイス (code/cpu) で動いている
#else
constexpr bool kCpuDevice = false;
#endif

// ---------------------------------------------------------------- 入力
// 乱数は std::mt19937(seed) の 32 ビット出力を 1 要素に 1 個ずつ使う。どの言語でも同じ列を作れる。
constexpr uint32_t kSeed = 12345;
enum class Input { uniform, integers };

// その型で、整数の合計をどの順に足しても正確に表せる上限
template <class T> constexpr double exactLimit() {
    return std::is_integral<T>::value ? double(std::numeric_limits<T>::max())
                                      : double(1LL << std::numeric_limits<T>::digits);
}

// 整数の入力の最大値。1 以上 m 以下の整数 n 個なら、合計は必ず exactLimit<T>() 以下。0 なら n が大きすぎる。
template <class T> uint32_t largestInteger(long long n) {
    return uint32_t(std::min(1000.0, std::floor(exactLimit<T>() / double(std::max(n, 1LL)))));
}

// 乱数から作る 1 つの値。uniform は [0,1) の浮動小数点数 (上位 24 ビット。half なら 11 ビット)、
// integers は 1 以上 most 以下の整数
template <class T> T element(uint32_t random, uint32_t most, Input kind) {
    if (kind == Input::integers) return T(int(1 + random % most));
    return sizeof(T) == 2 ? T(float(random >> 21) * 0x1p-11f) : T(float(random >> 8) * 0x1p-24f);
}

// 長さ n の入力
template <class T> std::vector<T> makeInput(long long n, Input kind, uint32_t seed = kSeed) {
    std::vector<T> x(n);
    std::mt19937 random(seed);
    for (auto& v : x) v = element<T>(random(), largestInteger<T>(n), kind);
    return x;
}

// 各要素の term を、半分ずつに分けて double で足す。
// 誤差は 2^-53 · (256 + log2(n)) · Σ|term| 以下で、float の誤差に比べて無視できる
template <class T, class Term> double pairwise(const T* x, long long n, Term term) {
    if (n > 256) return pairwise(x, n / 2, term) + pairwise(x + n / 2, n - n / 2, term);
    double sum = 0;
    for (long long i = 0; i < n; i++) sum += term(double(x[i]));
    return sum;
}

// 許容誤差 = u · min(d, 4√d) · Σ|x|  (u = 2^-24 は float の丸め 1 回の相対誤差、d は深さ)。
// d は最悪の場合、4√d は丸めが独立なときの 4σ。整数と、整数を入れた浮動小数点数は 0 (完全に一致)。
template <class T> double tolerance(double depth, double magnitude, Input kind) {
    if (kind == Input::integers) return 0;
    const double u = std::ldexp(1.0, -std::numeric_limits<T>::digits);
    return u * std::min(depth, 4 * std::sqrt(depth)) * magnitude;
}

// ---------------------------------------------------------------- 装置、時間、表示
std::string format(const char* how, ...) __attribute__((format(printf, 1, 2)));
std::string deviceName();
double peakGBs();  // 理論帯域 [GB/s]。分からなければ 0
std::string title(std::string file);  // "code/5.2/1-reduction.cu" → "5.2 reduction"
std::string showMs(double ms);               // ms を読みやすい桁数にする
std::string bandwidth(double bytes, double ms);  // 「100.0 GB/s, 理論帯域の 2.1 %」

template <class T> const char* typeName() {
    if (std::is_integral<T>::value) return sizeof(T) == 8 ? "int64" : "int";
    return sizeof(T) == 8 ? "double" : "float";
}

template <class T> std::string show(T v, int digits = std::numeric_limits<T>::max_digits10) {
    char s[64];
    if (std::is_integral<T>::value) snprintf(s, sizeof s, "%lld", (long long)v);
    else snprintf(s, sizeof s, "%.*g", digits, double(v));
    return s;
}
// JSON の数。無限大と数でない値は、文字列にする
template <class T> std::string json(T v) {
    if (std::isnan(double(v))) return "\"nan\"";
    return std::isinf(double(v)) ? "\"" + show(v) + "\"" : show(v);
}

// ---------------------------------------------------------------- 指定
[[noreturn]] void badUsage(const std::string& sentence);

// 表の 1 行。--名前 と書く。読者は、make run に大文字の 名前= で書く
struct Option {
    std::string usage;  // "--n 個数"。値がなければ "--json"
    std::function<void(const std::string& value)> read;  // 値を確かめて、置く
    bool hidden = false;                                 // 使い方の文に書かない
    std::string name() const { return usage.substr(0, usage.find(' ')); }
};

std::string label(const std::string& usage);  // "--n 個数" → "N"

// 最小 lo、最大 hi の整数を 10 進で読む。
long long parseInteger(const std::string& name, const std::string& s, long long lo, long long hi);
template <class T> Option integer(const std::string& usage, long long lo, long long hi, T* to) {
    return {usage, [=](const std::string& s) { *to = T(parseInteger(label(usage), s, lo, hi)); }};
}

// names から 1 つを選ぶ指定。choose に、何番目かを渡す
Option oneOf(const std::string& option, const std::string& noun, const std::vector<std::string>& names,
             const std::function<void(size_t)>& choose);
// 名前のあるもの (.name) の表から選ぶ
template <class List> std::vector<std::string> namesOf(const List& list) {
    std::vector<std::string> names;
    for (auto& one : list) names.push_back(one.name);
    return names;
}
template <class List, class T>
Option oneOf(const std::string& option, const std::string& noun, const List& list, T* to) {
    return oneOf(option, noun, namesOf(list), [=, &list](size_t k) { *to = &list[k]; });
}

// どのリストにもある指定
struct Options {
    long long n = 1 << 24;
    Input input = Input::uniform;
    int repeat = kCpuDevice ? 1 : 21;
    uint32_t seed = kSeed;
    bool hot = false, json = false;
    Option nOption(long long max) { return integer("--n 個数", 0, max, &n); }
    Option inputOption();
    Option repeatOption() { return integer("--repeat 回数", 1, 10000, &repeat); }
    Option seedOption() { return integer("--seed 種", 0, UINT32_MAX, &seed); }
    Option hotOption() { return integer("--hot 1", 0, 1, &hot); }
};

// table (と --json) の指定を読んで run を呼ぶ。--json があれば、値を , で区切っていくつも書け、全部の組み合わせで
// 1 度ずつ呼ぶ (--n 1,33 --seed 1,2)。返すのは、いちばん悪い終了コード
int each(int argc, char** argv, Options& o, std::vector<Option> table, const std::function<int()>& run);

// ---------------------------------------------------------------- 動かして、確かめる
struct Verdict {
    bool agree;
    std::string want, got, hint;  // got が空なら、答えではない
};

// make check が試す長さ。境界からのずれを n % 7 で決めるリストのどのずれも試すので、7 で割った余りは 0 から 6
const std::vector<int> kCheckSizes{0, 1, 2, 31, 33, 255, 257, 1000, 4099, 7168, 100003};
// 32 スレッドのブロックの数が、16 ビットに収まらない長さ。judge は、BLOCK=32 でだけ試す
constexpr int kManyBlocks = 2100003;

// make check が試す指定: どの長さも、inputs の全部か、順に回しながら each 個の入力で
std::vector<std::string> cases(const std::vector<int>& lengths, const std::vector<std::string>& inputs,
                               size_t each = 0);

// 1 つの種類のもの。使うときは、どの組み合わせでも prepare, expect, それから call と compare を何回か
struct Trial {
    const char* kind;    // "sum" か、節のフォルダの テスト用の答え kind.py の名前
    const char* type;    // 要素の型
    const char* inputs;  // 使える入力 (JSON の列の中身)
    const char* data;    // 入力の呼び名
    const char* noun;    // 比べるものの呼び名
    long long maxN;
    Options* o = nullptr;
    Trial(const char* kind, const char* type, const char* inputs, const char* data, const char* noun, long long maxN)
        : kind(kind), type(type), inputs(inputs), data(data), noun(noun), maxN(maxN) {}
    virtual ~Trial() = default;

    virtual std::vector<Option> options(Options& o) = 0;  // この種類だけの指定。o には、選ばないときの値を置く
    virtual std::vector<std::string> cases() = 0;         // make check が試す指定。タブの右は、読者に見せない
    virtual void forget() = 0;                            // 前の比べた結果を忘れる
    virtual void prepare() = 0;                           // 入力を作る
    virtual void expect() = 0;                            // CPU で求める
    virtual void call() = 0;                              // GPU で求める
    virtual void compare() = 0;                           // 比べて、いちばん悪い結果を覚える
    virtual bool agree() = 0;
    virtual std::string facts() { return ""; }  // 自分について言うこと (JSON)。"options" は、試せる指定の値
    virtual std::string json() = 0;             // 報告のうち、この種類だけのもの
    virtual std::string report() = 0;
    virtual std::string cpuNote() { return ""; }
    virtual std::string gpuNote(double) { return "時間は比べない"; }
    virtual std::string answer() = 0;                        // call の結果を 1 行で
    virtual Verdict judge(const std::string& answer) = 0;  // 読者のプログラムの answer を、expect の結果と比べる
};

std::string hex(const void* bytes, size_t size);
bool readHex(const std::string& text, void* bytes, size_t size);  // hex の書いたものでなければ false

// 答えが 1 つの A (バイトのまま渡せる型) であるもの
template <class A> struct AnswerTrial : Trial {
    A result{}, worst{};  // 終わりの答えと、報告する答え (違うものがあれば、その初めのもの)
    bool agreed = true;
    using Trial::Trial;
    virtual bool right(const A& a) const = 0;
    virtual std::string want() const = 0;             // 期待した答え
    virtual std::string text(const A& a) const = 0;  // 答えの書き方
    virtual std::string hint(const A& a) const = 0;  // 違うときの手がかり
    void forget() override { agreed = true; }
    void compare() override {
        if (agreed) worst = result, agreed = right(result);
    }
    bool agree() override { return agreed; }
    std::string answer() override { return hex(&result, sizeof result); }
    Verdict judge(const std::string& answer) override {
        A got;
        if (!readHex(answer, &got, sizeof got)) return {false, want(), "", ""};
        return {right(got), want(), text(got), hint(got)};
    }
};

// 全部の値のビットを番号の順に混ぜた 64 ビット (FNV-1a) と、合計、0 でない数、数でない値 (NaN) の個数。
// 値が 1 つでも違えば、指紋が違う
struct Fingerprint {
    unsigned long long hash = 0xcbf29ce484222325;
    double total = 0;
    long long moved = 0, unwritten = 0;
    Fingerprint() = default;
    template <class T> explicit Fingerprint(const std::vector<T>& values) {
        for (const float v : values) add(v);
    }
    void add(float v);
};

// 答えが float の列であるもの。要素ごとに CPU の T の列と比べ、いちばん悪い回を覚える。読者の答えは指紋で比べる
template <class T> struct ElementTrial : AnswerTrial<Fingerprint> {
    std::vector<T> cpu;
    std::vector<float> out, wrongest;  // call の結果と、いちばん悪い結果
    long long wrong = -1, first = -1;  // いちばん悪い結果の、違う要素の数と最初の番号
    using AnswerTrial::AnswerTrial;
    virtual double allowed(T) const { return 0; }
    void empty(size_t n) { out.assign(n, std::nanf("")); }  // 前の結果を残さない
    void forget() override { wrong = -1; }
    void compare() override {
        long long bad = 0, at = -1, other = 0;
        for (size_t k = 0; k < cpu.size(); k++) other += out[k] != cpu[k];  // たいていは全部同じで、まとめて比べられる
        for (size_t k = 0; other && k < cpu.size(); k++)  // NaN は一致しない
            if (!(std::fabs(double(out[k]) - double(cpu[k])) <= allowed(cpu[k])) && bad++ == 0) at = (long long)k;
        if (bad > wrong) wrong = bad, first = at, wrongest = out;
        empty(out.size());
    }
    bool agree() override { return wrong == 0; }
    std::string answer() override {
        result = Fingerprint(out);
        return AnswerTrial::answer();
    }
    bool right(const Fingerprint& f) const override { return f.hash == Fingerprint(cpu).hash; }
    std::string want() const override { return text(Fingerprint(cpu)); }
    std::string differences() const {  // 違う数と、最初の番号
        if (wrong == 0) return "0";
        return format("%lld (最初は out[%lld]: CPU %.9g, GPU %.9g)", wrong, first, double(cpu[first]), wrongest[first]);
    }
    std::string wrongJson() const { return format("\"wrong\": %lld, \"first_wrong\": %lld", wrong, first); }
};

int runTrials(int argc, char** argv, const char* file, const std::vector<std::shared_ptr<Trial>>& trials);

}  // namespace book
