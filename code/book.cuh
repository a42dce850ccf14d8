// book.cuh: どのリストも使う、ホスト側だけの道具。入力、CPU の合計、検査、時間、報告。
// 章で教えることはここに置かない (カーネルの部品はない)。
#pragma once
#include <cuda_runtime.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

// 1 ブロックのスレッド数。make run BLOCK=64 のように、動かすときに変えられる。
#ifndef BLOCK
#define BLOCK 256
#endif

// CUDA の関数の戻り値を確かめる。失敗なら場所と理由を書いて、終了コード 3 で止まる。
#define CHECK(call) ::book::check((call), #call, __FILE__, __LINE__)

namespace book {

enum ExitCode { kAgree = 0, kDisagree = 1, kBadUsage = 2, kDeviceFailed = 3 };

inline void check(cudaError_t e, const char* call, const char* file, int line) {
    if (e == cudaSuccess) return;
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s が失敗した: %s (%s)%s\n", file, line, call, cudaGetErrorName(e), cudaGetErrorString(e),
            e == cudaErrorMemoryAllocation ? "。装置のメモリが足りない: N を小さくする" : "");
    exit(kDeviceFailed);
}

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

// ---------------------------------------------------------------- CPU の合計と許容誤差
struct Total { double sum, magnitude; };  // Σx と Σ|x|

// 半分ずつに分けて double で足す。誤差は 2^-53 · log2(n) · Σ|x| 以下で、float の誤差に比べて無視できる。
template <class T> Total cpuTotal(const T* x, long long n) {
    if (n <= 256) {
        Total t{0, 0};
        for (long long i = 0; i < n; i++) t.sum += double(x[i]), t.magnitude += std::fabs(double(x[i]));
        return t;
    }
    const Total a = cpuTotal(x, n / 2), b = cpuTotal(x + n / 2, n - n / 2);
    return {a.sum + b.sum, a.magnitude + b.magnitude};
}

// 深さ: 1 つの要素が結果になるまでに通る足し算の回数。リストのアルゴリズムが決める。
using Depth = double (*)(double n);
inline double tree(double n) { return std::ceil(std::log2(std::max(n, 2.0))); }  // 木の形に足す
inline double serial(double n) { return std::max(n, 1.0); }                      // 1 個の変数に順に足す

// 許容誤差 = u · min(d, 4√d) · Σ|x|  (u = 2^-24 は float の丸め 1 回の相対誤差、d は深さ)。
// d は最悪の場合、4√d は丸めが独立なときの 4σ。整数と、整数を入れた浮動小数点数は 0 (完全に一致)。
template <class T> double tolerance(double depth, double magnitude, Input kind) {
    if (kind == Input::integers) return 0;
    const double u = std::ldexp(1.0, -std::numeric_limits<T>::digits);
    return u * std::min(depth, 4 * std::sqrt(depth)) * magnitude;
}

// ---------------------------------------------------------------- 時間
inline double nowMs() {
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

struct Timer {
    cudaEvent_t start = nullptr, stop = nullptr;
    void* flush = nullptr;       // L2 を追い出すための領域
    size_t flushBytes = 0;
    bool hot = false;            // 追い出さずに測る (HOT=1)
    double kernelMs = 0, outsideMs = 0;  // outsideMs: 測定のための手間 (転送の時間から除く)
    double deviceMiB = 0;                // 測っているときに確保されていた、装置のメモリ
};
inline Timer& timer() {
    static Timer t;
    return t;
}

// カーネルの時間はここから。入力が L2 に残っていると速く見えるので、先に L2 の 2 倍を書いて追い出す。
inline void timerStart() {
    Timer& t = timer();
    const double before = nowMs();
    if (!t.start) {
        CHECK(cudaEventCreate(&t.start));
        CHECK(cudaEventCreate(&t.stop));
        int l2 = 0;
        CHECK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
        t.flushBytes = t.hot ? 0 : size_t(l2) * 2;
        if (t.flushBytes) CHECK(cudaMalloc(&t.flush, t.flushBytes));
    }
    if (t.flush) CHECK(cudaMemset(t.flush, 0, t.flushBytes));
    CHECK(cudaDeviceSynchronize());
    t.outsideMs = nowMs() - before;
    CHECK(cudaEventRecord(t.start));
}

// カーネルの時間はここまで。
inline void timerStop() {
    Timer& t = timer();
    CHECK(cudaEventRecord(t.stop));
    CHECK(cudaEventSynchronize(t.stop));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, t.start, t.stop));
    t.kernelMs = ms;
    size_t free = 0, total = 0;
    CHECK(cudaMemGetInfo(&free, &total));
    t.deviceMiB = double(total - free) / 1048576;
}

inline double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    const size_t h = v.size() / 2;
    return v.size() % 2 ? v[h] : (v[h - 1] + v[h]) / 2;
}

// ---------------------------------------------------------------- 装置
// 理論帯域 [GB/s]: メモリのクロックの 2 倍 (DDR) × バス幅。分からなければ 0。
inline double peakGBs() {
    int kHz = 0, bits = 0;
    if (cudaDeviceGetAttribute(&kHz, cudaDevAttrMemoryClockRate, 0) != cudaSuccess) return 0;
    if (cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0) != cudaSuccess) return 0;
    return 2.0 * kHz * 1e3 * bits / 8 / 1e9;
}

#ifdef CPU_DEVICE
constexpr bool kCpuDevice = true;  // CPU デバイス (code/cpu) で動いている
#else
constexpr bool kCpuDevice = false;
#endif

inline std::string deviceName() {
    int count = 0;
    const cudaError_t e = cudaGetDeviceCount(&count);
    if (e != cudaSuccess || count == 0) {
        fprintf(stderr, "使える GPU がない: %s。GPU なしで動かすには DEVICE=cpu を付ける\n", cudaGetErrorString(e));
        exit(kDeviceFailed);
    }
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    return p.name;
}

// GPU だけで動くものを使うリストの、CPU デバイスでの main
inline int gpuOnly(const char* what) {
    printf("%s は GPU でだけ動く: GPU のある計算機で動かす\n", what);
    return kAgree;
}

// ---------------------------------------------------------------- コマンドライン
struct Options {
    long long n = 1 << 24;
    Input input = Input::uniform;
    bool json = false;
    int repeat = kCpuDevice ? 1 : 21;
    uint32_t seed = kSeed;
    std::string result;  // make check の合い言葉。あれば、比べずに合計だけを書く (比べるのは code/exercise/judge.cpp)
};

[[noreturn]] inline void badUsage(const std::string& sentence) {
    fprintf(stderr, "%s\n", sentence.c_str());
    exit(kBadUsage);
}

// 最小 lo、最大 hi の整数を 10 進で読む。
inline long long parseInteger(const char* name, const char* s, long long lo, long long hi) {
    const char* digits = *s == '-' ? s + 1 : s;
    if (!*digits || strspn(digits, "0123456789") != strlen(digits))
        badUsage(std::string(name) + "=" + s + " は整数ではない: " + name + " は 10 進の整数で書く (例: " + name +
                 "=1000000)");
    errno = 0;
    const long long v = strtoll(s, nullptr, 10);
    if (errno || v < lo || v > hi)
        badUsage(std::string(name) + "=" + s + " は範囲の外: " + name + " は " + std::to_string(lo) + " 以上 " +
                 std::to_string(hi) + " 以下");
    return v;
}

// int の添字 blockIdx.x * blockDim.x + threadIdx.x が、端数のブロックでも収まる最大の n。long long なら 2^32 まで
template <class Index> constexpr long long maxN() { return sizeof(Index) == 4 ? (1LL << 31) - 1024 : 1LL << 32; }

inline Options parse(int argc, char** argv, long long maxN) {
    Options o;
    for (int k = 1; k < argc; k++) {
        const std::string a = argv[k];
        auto value = [&]() -> const char* {
            if (k + 1 >= argc) badUsage(a + " の値がない");
            return argv[++k];
        };
        if (a == "--n") o.n = parseInteger("N", value(), 0, maxN);
        else if (a == "--repeat") o.repeat = int(parseInteger("REPEAT", value(), 1, 10000));
        else if (a == "--json") o.json = true;
        else if (a == "--hot") timer().hot = parseInteger("HOT", value(), 0, 1);
        else if (a == "--seed") o.seed = uint32_t(parseInteger("SEED", value(), 0, UINT32_MAX));
        else if (a == "--result") o.result = value();
        else if (a == "--input") {
            const std::string v = value();
            if (v == "uniform") o.input = Input::uniform;
            else if (v == "integers") o.input = Input::integers;
            else badUsage("INPUT=" + v + " は知らない入力: INPUT は uniform か integers");
        } else
            badUsage(
                a +
                " は知らない指定: 使えるのは --n 個数, --input uniform|integers, --repeat 回数, --seed 種, --hot 1, --json");
    }
    return o;
}

// ---------------------------------------------------------------- 実行と報告
// "code/5.2/1-reduction.cu" から "5.2 reduction" を作る。
inline std::string title(const std::string& file) {
    const size_t slash = file.rfind('/'), dot = file.rfind(".cu");
    const size_t before = slash == std::string::npos || slash == 0 ? std::string::npos : file.rfind('/', slash - 1);
    std::string section = slash == std::string::npos ? "" : file.substr(before + 1, slash - before - 1) + " ";
    std::string name = file.substr(slash + 1, dot - slash - 1);
    name.erase(0, name.find_first_not_of("0123456789-"));
    return section + name;
}

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

// ms を読みやすい桁数にする。
inline std::string showMs(double ms) {
    char s[32];
    snprintf(s, sizeof s, ms < 1 ? "%.4f" : ms < 100 ? "%.2f" : "%.0f", ms);
    return s;
}

// リストの main。sum はホストの配列 x (長さ n) の合計を GPU で求めて返す。depth は許容誤差のための深さ。
template <class T, class Index>
int run(int argc, char** argv, const char* file, T (*sum)(const T* x, Index n), Depth depth = tree) {
    Options o = parse(argc, argv, maxN<Index>());
    if (std::is_integral<T>::value) o.input = Input::integers;
    if (o.input == Input::integers && largestInteger<T>(o.n) == 0)
        badUsage("N=" + std::to_string(o.n) + " では整数の合計がこの型に収まらない: N を " + show(exactLimit<T>()) +
                 " 以下にする");
    const std::string device = deviceName();

    std::vector<T> x;
    try {
        x = makeInput<T>(o.n, o.input, o.seed);
    } catch (const std::bad_alloc&) {
        badUsage("N=" + std::to_string(o.n) + " の入力を置くメモリが足りない: N を小さくする");
    }
    if (!o.result.empty()) {
        T result = 0;
        for (int k = 0; k < o.repeat; k++)
            result = sum(x.data(), Index(o.n));  // 前の回の後始末をしないと、後の回が狂う
        if (timer().flush) CHECK(cudaFree(timer().flush));
        printf("\n%s %s\n", o.result.c_str(), show(result).c_str());
        return kAgree;
    }
    const double t0 = nowMs();
    const Total cpu = cpuTotal(x.data(), o.n);
    const double cpuMs = nowMs() - t0;
    const double allowed = tolerance<T>(depth(double(o.n)), cpu.magnitude, o.input);

    // 1 回目は準備 (モジュールの読み込みなど) を含むので、時間には数えない。結果は毎回確かめる。
    T gpu = 0;
    double error = -1;
    std::set<std::string> totals;  // 出た合計。足す順番が変わると、何通りにもなる
    std::vector<double> kernel, transfer;
    for (int k = kCpuDevice ? 1 : 0; k <= o.repeat; k++) {
        timer().kernelMs = timer().outsideMs = 0;
        const double before = nowMs();
        const T result = sum(x.data(), Index(o.n));
        const double whole = nowMs() - before;
        if (k > 0) kernel.push_back(timer().kernelMs), transfer.push_back(whole - timer().kernelMs - timer().outsideMs);
        totals.insert(show(result));
        const double e = std::fabs(double(result) - cpu.sum);
        if (!(e <= error) && !std::isnan(error)) gpu = result, error = e;  // いちばん悪い結果を報告する
    }
    if (timer().flush) CHECK(cudaFree(timer().flush));
    const bool agree = error <= allowed;  // NaN は一致しない
    const double kernelMs = median(kernel), transferMs = median(transfer), bytes = double(o.n) * sizeof(T);
    const double gbs = kernelMs > 0 ? bytes / kernelMs / 1e6 : 0, scale = cpu.magnitude > 0 ? cpu.magnitude : 1;

    if (o.json) {
        rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        printf(
            "{\"listing\": \"%s\", \"device\": \"%s\", \"cpu_device\": %s, \"type\": \"%s\", \"input\": \"%s\", \"n\": %lld, "
            "\"cpu\": %.17g, \"gpu\": %s%s%s, \"error\": %s%.9g%s, \"tolerance\": %.9g, \"agree\": %s, \"repeat\": %d, "
            "\"cpu_ms\": %.6g, \"kernel_ms\": %.6g, \"kernel_ms_min\": %.6g, \"kernel_ms_max\": %.6g, \"transfer_ms\": %.6g, \"totals\": %zu, \"peak_gbs\": %.6g, \"device_mib\": %.1f, \"max_rss_mib\": %.1f}\n",
            title(file).c_str(), device.c_str(), kCpuDevice ? "true" : "false", typeName<T>(),
            o.input == Input::uniform ? "uniform" : "integers", o.n, cpu.sum, std::isfinite(double(gpu)) ? "" : "\"",
            show(gpu).c_str(), std::isfinite(double(gpu)) ? "" : "\"", std::isfinite(error) ? "" : "\"", error / scale,
            std::isfinite(error) ? "" : "\"", allowed / scale, agree ? "true" : "false", o.repeat, cpuMs, kernelMs,
            *std::min_element(kernel.begin(), kernel.end()), *std::max_element(kernel.begin(), kernel.end()),
            transferMs, totals.size(), peakGBs(), timer().deviceMiB,
#ifdef __APPLE__
            usage.ru_maxrss / 1048576.0
#else
            usage.ru_maxrss / 1024.0
#endif
        );
        return agree ? kAgree : kDisagree;
    }
    printf("%s: CPU の合計と%s\n\n", title(file).c_str(), agree ? "一致 ✅" : "不一致 ❌");
    printf("装置        : %s\n", device.c_str());
    printf("要素数      : %lld\n", o.n);
    printf("CPU の合計  : %s\n",
           show(cpu.sum, std::is_integral<T>::value ? 17 : std::numeric_limits<T>::max_digits10).c_str());
    const std::string many = "  (動かすたびに変わる: " + std::to_string(totals.size()) + " 通り)";
    printf("GPU の合計  : %s%s\n", show(gpu).c_str(),
           o.repeat == 1        ? ""
           : totals.size() == 1 ? "  (毎回同じ)"
                                : many.c_str());
    printf("相対誤差    : %.2e (許容 %.2e)\n\n", error / scale, allowed / scale);
    printf("時間%s:\n  CPU : %s ms\n", timer().hot ? " (入力が L2 に残ったまま)" : "", showMs(cpuMs).c_str());
    if (kCpuDevice) printf("  GPU : %s ms  (CPU デバイスの時間。GPU の速さではない)\n", showMs(kernelMs).c_str());
    else {
        printf("  GPU : %s ms  (%.1f GB/s", showMs(kernelMs).c_str(), gbs);
        if (peakGBs() > 0) printf(", 理論帯域の %.*f %%", gbs < 0.01 * peakGBs() ? 2 : 1, 100 * gbs / peakGBs());
        printf(")\n");
    }
    printf("  転送: %s ms  (確保と解放を含む)\n", showMs(transferMs).c_str());
    return agree ? kAgree : kDisagree;
}

// いくつかの型で動くリストの main。--type で選んだ型の sum を動かす。初めの型が、選ばないときの型
template <class First, class... Rest>
int runTypes(int argc, char** argv, const char* file, First (*first)(const First*, long long),
             Rest (*... rest)(const Rest*, long long)) {
    std::string type = typeName<First>();
    std::vector<char*> others;  // --type のほかの指定
    for (int k = 0; k < argc; k++) {
        if (std::string(argv[k]) != "--type") others.push_back(argv[k]);
        else if (k + 1 < argc) type = argv[++k];
        else badUsage("--type の値がない");
    }
    const int count = int(others.size());
    int code = -1;
    if (type == typeName<First>()) code = run(count, others.data(), file, first);
    ((type == typeName<Rest>() ? void(code = run(count, others.data(), file, rest)) : void()), ...);
    const std::string known = typeName<First>() + ((", " + std::string(typeName<Rest>())) + ...);
    if (code < 0) badUsage("TYPE=" + type + " は知らない型: TYPE は " + known + " のどれか");
    return code;
}

#ifdef CPU_DEVICE  // 中身は code/cpu/book.cpp が 1 度だけコンパイルする
#define BOOK_RUN(T, Index) template int run(int, char**, const char*, T (*)(const T*, Index), Depth)
extern BOOK_RUN(int, int);
extern BOOK_RUN(float, int);
extern BOOK_RUN(int, long long);
extern BOOK_RUN(float, long long);
extern BOOK_RUN(double, long long);
extern BOOK_RUN(long long, long long);
#endif

}  // namespace book
