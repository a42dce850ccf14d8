// sum.cpp: 総和のリストの入力、CPU の合計、比較、報告。
#include "harness.h"

#include <cstdlib>
#include <set>

namespace book {

double tree(double n) {  // log2(n) の切り上げ
    const int e = std::ilogb(std::max(n, 2.0));
    return std::ldexp(1.0, e) < n ? e + 1 : e;
}
double serial(double n) { return std::max(n, 1.0); }

struct Total { double sum, magnitude; };  // Σx と Σ|x|

// 半分ずつに分けて double で足す。誤差は 2^-53 · log2(n) · Σ|x| 以下で、float の誤差に比べて無視できる。
template <class T> static Total cpuTotal(const T* x, long long n) {
    if (n <= 256) {
        Total t{0, 0};
        for (long long i = 0; i < n; i++) t.sum += double(x[i]), t.magnitude += std::fabs(double(x[i]));
        return t;
    }
    const Total a = cpuTotal(x, n / 2), b = cpuTotal(x + n / 2, n - n / 2);
    return {a.sum + b.sum, a.magnitude + b.magnitude};
}

template <class T> struct SumTrial : Trial {
    static constexpr bool kIntegral = std::is_integral<T>::value;
    std::function<T(const T*, long long)> sum;
    Depth depth;
    std::vector<T> x;
    Total cpu{};
    T result = 0, worst = 0;
    double error = -1;
    std::set<std::string> totals;  // 出た合計。足す順番が変わると、何通りにもなる

    SumTrial(std::function<T(const T*, long long)> sum, long long maxN, Depth depth)
        : Trial("sum", typeName<T>(), kIntegral ? "\"integers\"" : "\"uniform\", \"integers\"", "入力", "合計", maxN),
          sum(sum),
          depth(depth) {}

    std::vector<Option> options(Options& o) override { return o.all(maxN); }
    std::vector<std::string> cases() override {
        std::vector<std::string> lines;
        for (const int n : kCheckSizes)
            for (const char* input : {"integers", "uniform"})
                if (!kIntegral || input[0] == 'i') lines.push_back(format("--n %d --input %s\t--repeat 2", n, input));
        return lines;
    }
    Input input() const { return kIntegral ? Input::integers : o->input; }
    double allowed() const {
        return tolerance<T>(input() == Input::uniform ? depth(double(o->n)) : 0, cpu.magnitude, input());
    }
    double scale() const { return cpu.magnitude > 0 ? cpu.magnitude : 1; }

    void prepare() override {
        if (input() == Input::integers && largestInteger<T>(o->n) == 0)
            badUsage(format("N=%lld では整数の合計がこの型に収まらない: N を ", o->n) + show(exactLimit<T>()) +
                     " 以下にする");
        x = makeInput<T>(o->n, input(), o->seed);
        error = -1;
        totals.clear();
    }
    void expect() override { cpu = cpuTotal(x.data(), o->n); }
    void call() override { result = sum(x.data(), o->n); }
    void compare() override {
        totals.insert(show(result));
        const double e = std::fabs(double(result) - cpu.sum);
        if (!(e <= error) && !std::isnan(error)) worst = result, error = e;
    }
    bool agree() override { return error <= allowed(); }  // NaN は一致しない

    std::string facts() override {
        return format(", \"depth\": \"%s\"", depth == tree ? "tree" : depth == serial ? "serial" : "own");
    }
    std::string json() override {
        return format(
            "\"input\": \"%s\", \"cpu\": %.17g, \"gpu\": %s, \"error\": %s, \"tolerance\": %.9g, \"totals\": %zu",
            input() == Input::uniform ? "uniform" : "integers", cpu.sum, book::json(worst).c_str(),
            book::json(float(error / scale())).c_str(), allowed() / scale(), totals.size());
    }
    std::string report() override {
        const std::string many = "  (動かすたびに変わる: " + std::to_string(totals.size()) + " 通り)";
        return format("要素数      : %lld\nCPU の合計  : %s\nGPU の合計  : %s%s\n相対誤差    : %.2e (許容 %.2e)\n",
                      o->n, show(cpu.sum, kIntegral ? 17 : std::numeric_limits<T>::max_digits10).c_str(),
                      show(worst).c_str(),
                      o->repeat == 1       ? ""
                      : totals.size() == 1 ? "  (毎回同じ)"
                                           : many.c_str(),
                      error / scale(), allowed() / scale());
    }
    std::string gpuNote(double kernelMs) override { return bandwidth(double(o->n) * sizeof(T), kernelMs); }

    std::string answer() override { return show(result); }
    Verdict judge(const std::string& answer) override {
        char* end = nullptr;
        const T got = kIntegral        ? T(strtoll(answer.c_str(), &end, 10))
                      : sizeof(T) == 8 ? T(strtod(answer.c_str(), &end))
                                       : T(strtof(answer.c_str(), &end));
        Verdict v{false, kIntegral ? show((long long)cpu.sum) : show(cpu.sum), "", ""};
        if (end == answer.c_str() || *end) return v;
        const double difference = double(got) - cpu.sum;
        v.agree = std::fabs(difference) <= allowed();
        v.got = std::isnan(double(got)) ? "NaN (数でない値)" : answer;
        if (!std::isfinite(double(got))) v.hint = "数でない値になるのは、まだ誰も書いていない場所を読んだときである";
        else if (difference < 0) v.hint = "合計が " + show(T(-difference)) + " だけ足りない: 足されていない要素がある";
        else v.hint = "合計が " + show(T(difference)) + " だけ多い: 2 回足した要素か、範囲の外の値がある";
        if (input() == Input::uniform && std::fabs(difference) < 1e-3 * cpu.magnitude)
            v.hint = "整数の入力では合うが、丸めの誤差が許容より大きい: 1 つの変数に順に足していないか";
        return v;
    }
};

// int の添字 blockIdx.x * blockDim.x + threadIdx.x が、端数のブロックでも収まる最大の n。long long なら 2^32 まで
template <class T, class Index>
Typed::Typed(T (*sum)(const T*, Index), Depth depth)
    : trial(std::make_shared<SumTrial<T>>([=](const T* x, long long n) { return sum(x, Index(n)); },
                                          sizeof(Index) == 4 ? (1LL << 31) - 1024 : 1LL << 32, depth)) {}
template Typed::Typed(int (*)(const int*, int), Depth);
template Typed::Typed(float (*)(const float*, int), Depth);
template Typed::Typed(int (*)(const int*, long long), Depth);
template Typed::Typed(float (*)(const float*, long long), Depth);
template Typed::Typed(double (*)(const double*, long long), Depth);
template Typed::Typed(long long (*)(const long long*, long long), Depth);

int run(int argc, char** argv, const char* file, std::initializer_list<Typed> sums) {
    std::vector<std::shared_ptr<Trial>> trials;
    for (auto& s : sums) trials.push_back(s.trial);
    return runTrials(argc, argv, file, trials);
}

}  // namespace book
