// 5.10 の 1-operator と 2-pairs を動かす: 入力、CPU の答え、比較、報告。
#include "folds.cuh"

#include <cstdlib>

#include "harness.h"

namespace folds {

using Numbers = std::vector<float>;

// ---------------------------------------------------------------- 入力
// 名前と、乱数から 1 つの値を作る式
static float uniform(uint32_t r) { return float(r >> 8) * 0x1p-23f - 1; }  // -1 以上 1 未満
struct Source {
    const char* name;
    float (*value)(uint32_t random);
};
static const Source kSources[] = {
    {"uniform", uniform},
    {"nan", [](uint32_t r) { return r % 16 == 0 ? NAN : uniform(r); }},
    {"zeros", [](uint32_t r) { return r % 4 == 0   ? -0.0f
                                      : r % 4 == 1 ? 0.0f
                                                   : -1.0f; }},
    {"infinities", [](uint32_t r) { return r % 16 == 0   ? INFINITY
                                           : r % 16 == 1 ? -INFINITY
                                                         : uniform(r); }},
    {"ties", [](uint32_t r) { return float(r % 4) - 9; }},  // -9 から -6。同じ値がたくさんある
};

// ---------------------------------------------------------------- CPU の答え
template <class Term> static double total(const Numbers& x, Term term) {
    return book::pairwise(x.data(), (long long)x.size(), term);
}
static double magnitude(const Numbers& x) {
    return total(x, [](double v) { return std::fabs(v); });
}

// 初めの NaN か、NaN がなければ、sign 倍していちばん大きい初めの値
static Answer extreme(const Numbers& x, double sign) {
    Answer best{-sign * INFINITY, double(INT32_MAX)};
    for (size_t i = 0; i < x.size(); i++) {
        if (std::isnan(x[i])) return {NAN, double(i)};
        if (best.second == INT32_MAX || sign * x[i] > sign * best.first) best = {double(x[i]), double(i)};
    }
    return best;
}
static double largest(const Numbers& x) { return extreme(x, 1).first; }

static Answer variance(const Numbers& x) {
    if (x.size() == 0) return {NAN, NAN};  // 0 / 0 の符号は、計算機による
    const double n = double(x.size()), mean = total(x, [](double v) { return v + (v - v); }) / n;
    return {mean, total(x, [=](double v) { return (v - mean) * (v - mean); }) / n};
}
static Answer softmax(const Numbers& x) {
    const double max = largest(x);
    return {max, total(x, [=](double v) { return v == max ? 1 : std::exp(v - max); })};
}

// 演算子の名前、答えの呼び名、CPU の答え、丸めの誤差の大きさ (深さ 1 につき 2^-24 倍まで許す。なければ、完全に一致)
struct Kind {
    const char *name, *first, *second;
    Answer (*expect)(const Numbers& x);
    Answer (*scale)(const Numbers& x, Answer cpu) = [](const Numbers&, Answer) { return Answer{0}; };
};
static const Kind kKinds[] = {
    {"sum", "合計", "", [](const Numbers& x) { return Answer{total(x, [](double v) { return v; })}; },
     [](const Numbers& x, Answer) { return Answer{magnitude(x)}; }},
    {"max", "最大値", "", [](const Numbers& x) { return Answer{largest(x)}; }},
    {"min", "最小値", "", [](const Numbers& x) { return Answer{extreme(x, -1).first}; }},
    {"all", "全部が 0 でない", "",
     [](const Numbers& x) { return Answer{double(std::find(x.begin(), x.end(), 0.0f) == x.end())}; }},
    {"argmax", "最大値", "番号", [](const Numbers& x) { return extreme(x, 1); }},
    {"variance", "平均", "分散", variance,
     [](const Numbers& x, Answer cpu) {  // 平均の誤差は、平均から離れた距離の分だけ、分散に入る
         const double size = magnitude(x) / double(x.size());
         return Answer{2 * size, 4 * (cpu.second + size * std::sqrt(cpu.second))};
     }},
    {"softmax", "最大値", "Σexp", softmax, [](const Numbers&, Answer cpu) { return Answer{0, 4 * cpu.second}; }},
};

static bool same(double got, double want, double allowed) {
    return got == want || (std::isnan(got) && std::isnan(want)) || std::fabs(got - want) <= allowed;
}

struct FoldTrial : book::AnswerTrial<Answer> {
    std::vector<Fold> folds;
    const Fold* fold = nullptr;
    const Kind* kind = nullptr;
    const Source* source = kSources;
    Numbers x;
    Answer cpu{};
    bool late = false;  // 最大値を、番号の大きい所に置く

    explicit FoldTrial(std::initializer_list<Fold> list)
        : AnswerTrial("folds", "float", "", "入力", "答え", (1LL << 31) - 1024), folds(list) {
        fold = &folds[0];
    }
    std::vector<book::Option> options(book::Options& o) override {
        o.n = book::kCpuDevice ? 1 << 20 : 1 << 24;
        return {book::oneOf("--op", "演算子", folds, &fold),
                book::oneOf("--input", "入力", kSources, &source),
                {"--late", [this](const std::string&) { late = true; }, true}};
    }
    std::vector<std::string> cases() override {
        std::vector<std::string> lines;
        for (auto& f : folds)  // どの演算子も、長さが変わるたびに次の入力にする
            for (auto& line : book::cases(book::kCheckSizes, book::namesOf(kSources), 1))
                lines.push_back(book::format("--op %s ", f.name) + line + " --late");
        return lines;
    }
    std::string facts() override {
        std::string all;
        for (auto& f : folds) all += (all.empty() ? "\"" : ", \"") + std::string(f.name) + "\"";
        return ", \"options\": {\"op\": [" + all + "]}";
    }
    void prepare() override {
        kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                            [&](const Kind& k) { return !strcmp(k.name, fold->name); });
        x.resize(o->n);
        std::mt19937 random(o->seed);
        for (auto& v : x) v = source->value(random());
        if (late && o->n && source == kSources) x[o->n - 1 - o->n / 8] = 1;
    }
    void expect() override { cpu = kind->expect(x); }
    void call() override { result = fold->ask(x.data(), int(o->n)); }
    bool right(const Answer& got) const override {
        const Answer scale = kind->scale(x, cpu);
        const auto close = [&](double got, double want, double scale) {
            const double allowed = book::tolerance<float>(book::tree(double(o->n)), scale, book::Input::uniform);
            return same(got, want, std::isfinite(allowed) ? allowed : 0);
        };
        return close(got.first, cpu.first, scale.first) && close(got.second, cpu.second, scale.second);
    }
    std::string want() const override { return text(cpu); }
    std::string text(const Answer& a) const override {
        std::string said = book::show(float(a.first));
        if (!*kind->second) return said;
        const bool none = !strcmp(kind->second, "番号") && a.second == INT32_MAX;
        return said + ", " + (none ? "なし" : book::show(a.second, strcmp(kind->second, "番号") ? 9 : 17));
    }
    std::string json() override {
        return book::format(
            "\"op\": \"%s\", \"input\": \"%s\", \"cpu\": %s, \"cpu_second\": %s, \"gpu\": %s, \"gpu_second\": %s",
            kind->name, source->name, book::json(cpu.first).c_str(), book::json(cpu.second).c_str(),
            book::json(worst.first).c_str(), book::json(worst.second).c_str());
    }
    std::string report() override {
        const std::string what = std::string(kind->first) + (*kind->second ? "と" : "") + kind->second;
        return book::format("要素数      : %lld\n演算子      : %s (%s)\nCPU の答え  : %s\nGPU の答え  : %s\n", o->n,
                            kind->name, what.c_str(), text(cpu).c_str(), text(worst).c_str());
    }
    std::string gpuNote(double kernelMs) override { return book::bandwidth(double(o->n) * sizeof(float), kernelMs); }

    std::string hint(const Answer& got) const override {
        if (std::isnan(got.first) != std::isnan(cpu.first))
            return "NaN は、どこにあっても答えになる: 読み落とした要素か、まだ誰も書いていない場所の値がある";
        if (got.first == cpu.first) return "1 つ目の数は合うが、2 つ目が違う: 要素の番号を lift に渡しているか";
        return "畳まれていない要素か、2 度畳んだ要素がある: 受け持ちの分け方を確かめる";
    }
};

int run(int argc, char** argv, const char* file, std::initializer_list<Fold> folds) {
    return book::runTrials(argc, argv, file, {std::make_shared<FoldTrial>(folds)});
}

}  // namespace folds
