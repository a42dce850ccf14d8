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
    {"ties", [](uint32_t r) { return float(r % 4) - 9; }},  // -9 から -6。同じ値がたくさんある
    {"zeros", [](uint32_t r) { return r % 4 == 0   ? -0.0f
                                      : r % 4 == 1 ? 0.0f
                                                   : -1.0f; }},
    {"infinities", [](uint32_t r) { return r % 16 == 0   ? INFINITY
                                           : r % 16 == 1 ? -INFINITY
                                                         : uniform(r); }},
    {"nan", [](uint32_t r) { return r % 16 == 0 ? NAN : uniform(r); }},
};

// ---------------------------------------------------------------- CPU の答え。和は double で、半分ずつに分けて足す
template <class Term> static double total(const Numbers& x, size_t begin, size_t end, Term term) {
    if (end - begin > 256) {
        const size_t middle = begin + (end - begin) / 2;
        return total(x, begin, middle, term) + total(x, middle, end, term);
    }
    double sum = 0;
    for (size_t i = begin; i < end; i++) sum += term(double(x[i]));
    return sum;
}
template <class Term> static double total(const Numbers& x, Term term) { return total(x, 0, x.size(), term); }
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

struct FoldTrial : book::Trial {
    std::vector<Fold> folds;
    const Fold* fold = nullptr;
    const Kind* kind = nullptr;
    const Source* source = kSources;
    Numbers x;
    Answer cpu{}, result{}, worst{};
    bool agreed = true;

    explicit FoldTrial(std::initializer_list<Fold> list)
        : Trial("folds", "float", "", "入力", "答え", (1LL << 31) - 1024), folds(list) {
        fold = &folds[0];
    }
    std::vector<book::Option> options(book::Options& o) override {
        o.n = book::kCpuDevice ? 1 << 20 : 1 << 24;
        return {book::oneOf("--op", "演算子", folds, &fold),
                o.nOption(maxN),
                book::oneOf("--input", "入力", kSources, &source),
                o.repeatOption(),
                o.seedOption(),
                o.hotOption()};
    }
    std::vector<std::string> cases() override {
        std::vector<std::string> lines;
        size_t k = 0;  // 演算子ごとに、長さが変わるたびに次の入力にする
        for (const int n : book::kCheckSizes) {
            for (size_t f = 0; f < folds.size(); f++)
                lines.push_back(book::format("--n %d --op %s --input %s\t--repeat 2", n, folds[f].name,
                                             kSources[(k + f) % std::size(kSources)].name));
            k++;
        }
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
        agreed = true;
    }
    void expect() override { cpu = kind->expect(x); }
    void call() override { result = fold->ask(x.data(), int(o->n)); }
    bool right(Answer got) const {
        const Answer scale = kind->scale(x, cpu);
        const auto close = [&](double got, double want, double scale) {
            const double allowed = book::tolerance<float>(book::tree(double(o->n)), scale, book::Input::uniform);
            return same(got, want, std::isfinite(allowed) ? allowed : 0);
        };
        return close(got.first, cpu.first, scale.first) && close(got.second, cpu.second, scale.second);
    }
    void compare() override {
        if (agreed) worst = result, agreed = right(result);
    }
    bool agree() override { return agreed; }

    std::string text(Answer a) const {
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

    std::string answer() override { return book::format("%.17g %.17g", result.first, result.second); }
    book::Verdict judge(const std::string& answer) override {
        book::Verdict v{false, text(cpu), "", ""};
        char* end = nullptr;
        Answer got{strtod(answer.c_str(), &end)};
        got.second = strtod(end, &end);
        if (answer.empty() || *end) return v;
        v.agree = right(got);
        v.got = text(got);
        v.hint = std::isnan(got.first) != std::isnan(cpu.first)
                     ? "NaN は、どこにあっても答えになる: 読み落とした要素か、まだ誰も書いていない場所の値がある"
                 : got.first == cpu.first ? "1 つ目の数は合うが、2 つ目が違う: 要素の番号を lift に渡しているか"
                                          : "畳まれていない要素か、2 度畳んだ要素がある: 受け持ちの分け方を確かめる";
        return v;
    }
};

int run(int argc, char** argv, const char* file, std::initializer_list<Fold> folds) {
    return book::runTrials(argc, argv, file, {std::make_shared<FoldTrial>(folds)});
}

}  // namespace folds
