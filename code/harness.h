// harness.h: リストを動かす側の道具。中身は harness.cpp にある。
// 総和でないものを動かす節は、Trial を 1 つ書いて、節のフォルダに置く (5.5/particles.cpp)。
#pragma once
#include "clock.h"

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

// 長さ n の入力。uniform は [0,1) の浮動小数点数 (r / 2^32 の上位 24 ビット)、integers は 1 以上 m 以下の整数。
template <class T> std::vector<T> makeInput(long long n, Input kind, uint32_t seed = kSeed) {
    std::vector<T> x(n);
    std::mt19937 random(seed);
    const uint32_t m = largestInteger<T>(n);
    for (auto& v : x) {
        const uint32_t r = random();
        v = kind == Input::uniform ? T((r >> 8) * 0x1p-24) : T(1 + r % m);
    }
    return x;
}

// 許容誤差 = u · min(d, 4√d) · Σ|x|  (u = 2^-24 は float の丸め 1 回の相対誤差、d は深さ)。
// d は最悪の場合、4√d は丸めが独立なときの 4σ。整数と、整数を入れた浮動小数点数は 0 (完全に一致)。
template <class T> double tolerance(double depth, double magnitude, Input kind) {
    if (kind == Input::integers) return 0;
    const double u = std::ldexp(1.0, -std::numeric_limits<T>::digits);
    return u * std::min(depth, 4 * std::sqrt(depth)) * magnitude;
}

// ---------------------------------------------------------------- 装置、時間、表示
std::string deviceName();
double peakGBs();  // 理論帯域 [GB/s]。分からなければ 0
std::string title(const std::string& file);  // "code/5.2/1-reduction.cu" → "5.2 reduction"
std::string showMs(double ms);               // ms を読みやすい桁数にする

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

// どのリストにもある指定
struct Options {
    long long n = 1 << 24;
    Input input = Input::uniform;
    int repeat = kCpuDevice ? 1 : 21;
    uint32_t seed = kSeed;
    bool hot = false, json = false;
    bool once = false;  // 時計を使わずに、1 度だけ呼ぶ (プロファイラのため)
    Option nOption(long long max) { return integer("--n 個数", 0, max, &n); }
    Option inputOption();
    Option repeatOption() { return integer("--repeat 回数", 1, 10000, &repeat); }
    Option seedOption() { return integer("--seed 種", 0, UINT32_MAX, &seed); }
    Option hotOption() { return integer("--hot 1", 0, 1, &hot); }
    std::vector<Option> all(long long maxN) {
        return {nOption(maxN), inputOption(), repeatOption(), seedOption(), hotOption()};
    }
};

// table (と --json) の指定を読んで run を呼ぶ。--json があれば、値を , で区切っていくつも書け、全部の組み合わせで
// 1 度ずつ呼ぶ (--n 1,33 --seed 1,2)。返すのは、いちばん悪い終了コード
int each(int argc, char** argv, Options& o, std::vector<Option> table, const std::function<int()>& run);

// ---------------------------------------------------------------- 動かして、確かめる
struct Verdict {
    bool agree;
    std::string want, got, hint;  // got が空なら、答えではない
};

constexpr int kCheckSizes[] = {0, 1, 2, 31, 33, 255, 257, 1000, 2048, 4099, 100003};  // make check が試す長さ

// 1 つの種類のもの。使うときは、どの組み合わせでも prepare, expect, それから call と compare を何回か
struct Trial {
    const char* kind;    // "sum" か、節のフォルダの テスト用の答え kind.py の名前
    const char* type;    // 要素の型
    const char* inputs;  // 使える入力 (JSON の列の中身)
    const char* data;    // 入力の呼び名
    const char* noun;    // 比べるものの呼び名
    long long maxN;
    const Options* o = nullptr;
    Trial(const char* kind, const char* type, const char* inputs, const char* data, const char* noun, long long maxN)
        : kind(kind), type(type), inputs(inputs), data(data), noun(noun), maxN(maxN) {}
    virtual ~Trial() = default;

    virtual std::vector<Option> options(Options& o) = 0;  // --json と --type のほか
    virtual std::vector<std::string> cases() = 0;         // make check が試す指定。タブの右は、読者に見せない
    virtual void prepare() = 0;                           // 入力を作り、前の結果を忘れる
    virtual void expect() = 0;                            // CPU で求める
    virtual void call() = 0;                              // GPU で求める
    virtual void compare() = 0;                           // 比べて、いちばん悪い結果を覚える
    virtual bool agree() = 0;
    virtual std::string facts() { return ""; }  // 自分について言うこと (JSON)。"options" は、試せる指定の値
    virtual std::string json() = 0;             // 報告のうち、この種類だけのもの
    virtual std::string report() = 0;
    virtual std::string cpuNote() { return ""; }
    virtual std::string gpuNote(double kernelMs) = 0;
    virtual std::string answer() = 0;                        // call の結果を 1 行で
    virtual Verdict judge(const std::string& answer) = 0;  // 読者のプログラムの answer を、expect の結果と比べる
};

int runTrials(int argc, char** argv, const char* file, const std::vector<std::shared_ptr<Trial>>& trials);

std::string format(const char* how, ...) __attribute__((format(printf, 1, 2)));

}  // namespace book
