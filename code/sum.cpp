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

template <class T> struct SumTrial : AnswerTrial<T> {
    using AnswerTrial<T>::o, AnswerTrial<T>::result, AnswerTrial<T>::worst;
    static constexpr bool kIntegral = std::is_integral<T>::value;
    // 負の数にする: 100 個の合計が T に収まる中で、狭い型にも float にも収まらない整数か、整数でない数
    static constexpr double kNegative = !kIntegral ? -0.5 : sizeof(T) == 4 ? -21473 : -2147483647.0;
    std::function<T(const T*, long long)> sum;
    Depth depth;
    bool digits = false;  // 図の記録のための入力: 1 桁の数
    double times = 1;     // 入力を何倍にするか
    std::vector<T> x;
    double cpu = 0;  // 丸めのある入力はどれも 0 以上なので、Σ|x| でもある
    double error = -1;
    std::set<std::string> totals;  // 出た合計。足す順番が変わると、何通りにもなる

    SumTrial(std::function<T(const T*, long long)> sum, long long maxN, Depth depth)
        : AnswerTrial<T>("sum", typeName<T>(), kIntegral ? "\"integers\"" : "\"uniform\", \"integers\"", "入力", "合計",
                         maxN),
          sum(sum),
          depth(depth) {}

    std::vector<Option> options(Options& o) override {
        return {o.inputOption(),
                {"--digits 1", [this](const std::string&) { digits = true; }, true},
                {"--times 倍", [this](const std::string& v) { times = atof(v.c_str()); }, true}};
    }
    std::vector<std::string> cases() override {
        std::vector<std::string> inputs{"integers", "uniform"};
        auto lines = book::cases(kCheckSizes, {inputs.begin(), inputs.end() - kIntegral});
        std::vector<std::string> more{format("--n 100 --input integers\t--repeat 2 --times %.17g", kNegative),
                                      "--n 1000 --input integers\t--times 0"};
        if (!kIntegral) more.push_back("--n 4099 --input uniform\t--times 1e-18");  // 小さな数も、捨てない
        more.push_back(format("--n %d --input integers", kManyBlocks));
        lines.insert(lines.end() - 1, more.begin(), more.end());
        return lines;
    }
    Input input() const { return kIntegral ? Input::integers : o->input; }
    double allowed(double least = 0) const {  // least: 許す深さの下限
        return tolerance<T>(std::max(depth(double(o->n)), least), cpu, input());
    }
    double scale() const { return cpu > 0 ? cpu : 1; }

    void prepare() override {
        if (input() == Input::integers && largestInteger<T>(o->n) == 0)
            badUsage(format("N=%lld では整数の合計がこの型に収まらない: N を ", o->n) + show(exactLimit<T>()) +
                     " 以下にする");
        x = makeInput<T>(o->n, input(), o->seed);
        for (T& v : x) v *= T(times);
        for (size_t i = 0; digits && i < x.size(); i++) x[i] = T("3141592653589793"[i % 16] - '0');
    }
    void forget() override {
        error = -1;
        totals.clear();
    }
    void expect() override {
        cpu = pairwise(x.data(), o->n, [](double v) { return v; });
    }
    void call() override { result = sum(x.data(), o->n); }
    void compare() override {
        totals.insert(show(result));
        const double e = std::fabs(double(result) - cpu);
        if (!(e <= error) && !std::isnan(error)) worst = result, error = e;
    }
    bool agree() override { return error <= allowed(); }  // NaN は一致しない

    std::string facts() override {
        return format(", \"depth\": \"%s\"", depth == tree ? "tree" : depth == serial ? "serial" : "own");
    }
    std::string json() override {
        return format(
            "\"input\": \"%s\", \"cpu\": %.17g, \"gpu\": %s, \"error\": %s, \"tolerance\": %.9g, \"totals\": %zu",
            input() == Input::uniform ? "uniform" : "integers", cpu, book::json(worst).c_str(),
            book::json(float(error / scale())).c_str(), allowed() / scale(), totals.size());
    }
    std::string report() override {
        const std::string many = o->repeat == 1       ? ""
                                 : totals.size() == 1 ? "  (毎回同じ)"
                                                      : format("  (動かすたびに変わる: %zu 通り)", totals.size());
        return format("要素数      : %lld\nCPU の合計  : %s\nGPU の合計  : %s%s\n相対誤差    : %.2e (許容 %.2e)\n",
                      o->n, show(cpu, kIntegral ? 17 : std::numeric_limits<T>::max_digits10).c_str(),
                      show(worst).c_str(), many.c_str(), error / scale(), allowed() / scale());
    }
    std::string gpuNote(double kernelMs) override { return bandwidth(double(o->n) * sizeof(T), kernelMs); }

    bool right(const T& got) const override {  // 読者の答えは、ブロックの中を順に足しても通す
        return std::fabs(double(got) - cpu) <= allowed(serial(std::min(double(o->n), 1024.0)));
    }
    std::string want() const override { return kIntegral ? show((long long)cpu) : show(cpu); }
    std::string text(const T& got) const override { return std::isnan(double(got)) ? "NaN (数でない値)" : show(got); }
    std::string hint(const T& got) const override {
        const double difference = (cpu < 0 ? -1 : 1) * (double(got) - cpu);  // 大きさで言う
        if (input() == Input::uniform && std::fabs(difference) < 1e-3 * cpu)
            return "整数の入力では合うが、丸めの誤差が許容より大きい: 1 つの変数に順に足していないか";
        if (!std::isfinite(double(got))) return "∞か、数でない値になるのは、たいてい、書く前の場所を読んだときである";
        if (difference < 0) return "合計が " + show(T(-difference)) + " だけ足りない: 足されていない要素がある";
        return "合計が " + show(T(difference)) + " だけ多い: 2 回足した要素か、範囲の外の値がある";
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
