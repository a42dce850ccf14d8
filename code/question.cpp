// question.cpp: 総和でない課題の入力、比較、報告。
#include "question.cuh"

#include "harness.h"

#include <cstdlib>

namespace book {

// 入力: 名前と、値を乱数から作る式。arrays は、続けて置く配列の数
struct Shape {
    const char* name;
    int arrays;
    int (*value)(uint32_t random, bool special);  // special は、入力ごとに 1 つ選んだ番号だけ
};
static const Shape kShapes[] = {
    // float で足しても正確で、char には収まらない。1 つは、半分の精度にも収まらない
    {"small", 1, [](uint32_t r, bool special) { return special ? 8001 : int(r % 301) - 150; }},
    {"mixed", 1, [](uint32_t r, bool special) { return special ? 1001 : int(r % 2001) - 1000; }},
    {"halves", 1,  // 上の 4 桁に丸めるときの、真ん中の数か、その隣
     [](uint32_t r, bool) { return (r & 64 ? 1 : -1) * (int((r >> 27 | 1) << r % 26) + int(r >> 12 & 3) - 1); }},
    {"negative", 1, [](uint32_t r, bool) { return -1 - int(r % 1000); }},
    {"low", 1,  // 単位元の代わりになる数がない
     [](uint32_t r, bool special) { return -2001600000 + int(special ? 1000200 : r % 1000000); }},
    {"high", 1,  // いちばん大きいものと次は、float では同じ数になる
     [](uint32_t r, bool special) { return 2001600000 + (special ? 1 : -int(r % 3 * (r % 300000))); }},
    {"far", 1,  // 差が、型に収まらない
     [](uint32_t r, bool) {
         return r % 5 ? int(r % 2001) - 1000 : (r & 1 ? 1 : -1) * (2001600000 - int(r % 1000000));
     }},
    {"inf", 1, [](uint32_t, bool) { return int(1u << 31); }},  // float なら、負の無限大だけ
    {"ties", 1, [](uint32_t r, bool) { return int(r % 97 ? r % 3 : 3) + 32766; }},  // 16 ビットの境をまたぐ
    {"wide", 1,
     [](uint32_t r, bool) { return int((r & 1 ? 1u : -1u) * (65536u << r / 2 % 16)); }},  // 掛けると int を超える
    {"nonzero", 1, [](uint32_t r, bool) { return 1 + int(r % 9); }},
    {"onezero", 1, [](uint32_t r, bool special) { return special ? 0 : 1 + int(r % 9); }},
    {"signs", 1, [](uint32_t r, bool special) { return special ? 0 : 2 * int(r % 19) - 19; }},  // 1 つだけが 0
    {"zeros", 1, [](uint32_t, bool) { return 0; }},
    {"edge", 1, [](uint32_t, bool special) { return special ? (1 << 24) - 1 : 0; }},  // 1 つだけが、下の 24 ビットが 1
    {"pairs", 2, [](uint32_t r, bool special) { return special ? 2049 : int(r % 19) - 9; }},
};

template <class In, class Out> struct QuestionTrial : AnswerTrial<Out> {
    using AnswerTrial<Out>::o, AnswerTrial<Out>::result, AnswerTrial<Out>::worst;
    void (*ask)(const In*, int, Out*);
    Expected<Out> (*answers)(const In*, int, Out);
    std::vector<Shape> shapes;
    const Shape* shape = nullptr;
    std::vector<In> x;
    Out cpu{};

    QuestionTrial(void (*ask)(const In*, int, Out*), Expected<Out> (*answers)(const In*, int, Out),
                  std::initializer_list<const char*> inputs)
        : AnswerTrial<Out>("question", typeName<In>(), "", "入力", "答え", 1 << 17), ask(ask), answers(answers) {
        for (const std::string name : inputs)
            for (auto& s : kShapes)
                if (name == s.name) shapes.push_back(s);
        shape = &shapes[0];
    }
    std::vector<Option> options(Options& o) override {
        o.n = this->maxN;
        return {oneOf("--input", "入力", shapes, &shape)};
    }
    std::vector<std::string> cases() override {
        return book::cases({kCheckSizes.begin() + 1, kCheckSizes.end()}, namesOf(shapes));
    }
    void prepare() override {
        x.resize(o->n * shape->arrays);
        std::mt19937 random(o->seed);
        const long long special = o->n >= 2048 ? o->n - 1 : o->n > 0 ? random() % o->n : 0;  // 長ければ終わり
        for (size_t k = 0; k < x.size(); k++) {
            const int v = shape->value(random(), (long long)k == special);
            // float なら、整数でない数か、int に収まらない大きさの数にする。0 は、−0 のこともある
            const double scale = std::abs(double(v)) > 1e9 ? 1.7e29 : 0.5;
            x[k] = std::is_integral<In>::value ? In(v) : In(v ? v * scale : k % 2 ? 0.0 : -0.0);
        }
        if (shape->name == std::string("low")) std::sort(x.begin(), x.end());  // 誰もが最大値を替える
    }
    void expect() override { cpu = answers(x.data(), int(o->n), Out()).value; }
    void call() override {
        const Array<In> x_dev(x.data(), x.size());
        const Array<Out> out_dev(1);
        timerStart();
        ask(x_dev, int(o->n), out_dev);
        CHECK(cudaGetLastError());
        timerStop();
        result = out_dev.first();
    }
    std::string json() override { return "\"cpu\": " + show(cpu) + ", \"gpu\": " + show(worst); }
    std::string report() override {
        return format("要素数      : %lld\nCPU の答え  : %s\nGPU の答え  : %s\n", o->n, show(cpu).c_str(),
                      show(worst).c_str());
    }

    bool right(const Out& got) const override { return got == cpu; }
    std::string want() const override { return show(cpu); }
    std::string text(const Out& got) const override { return got != got ? "NaN (数でない値)" : show(got); }
    std::string hint(const Out& got) const override {
        if (got != got) return "数でない値になるのは、たいてい、書く前の場所を読んだときである";
        const Expected<Out> told = answers(x.data(), int(o->n), got);
        std::string hint = std::string(told.before) + told.hint;
        const size_t number = hint.find("%d");
        if (number != std::string::npos) hint.replace(number, 2, std::to_string(told.at));
        return hint;
    }
};

template <class In, class Out>
int question(int argc, char** argv, const char* file, void (*ask)(const In*, int, Out*),
             Expected<Out> (*expect)(const In*, int, Out), std::initializer_list<const char*> inputs) {
    return runTrials(argc, argv, file, {std::make_shared<QuestionTrial<In, Out>>(ask, expect, inputs)});
}
template int question(int, char**, const char*, void (*)(const int*, int, int*),
                      Expected<int> (*)(const int*, int, int), std::initializer_list<const char*>);
template int question(int, char**, const char*, void (*)(const float*, int, float*),
                      Expected<float> (*)(const float*, int, float), std::initializer_list<const char*>);
template int question(int, char**, const char*, void (*)(const float*, int, int*),
                      Expected<int> (*)(const float*, int, int), std::initializer_list<const char*>);

// ---------------------------------------------------------------- よく使う答え合わせ
Expected<float> expectSum(const float* x, int n, float got, const char* why) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return {sum, why, 0, got > sum ? "合計が多い。例えば、" : "合計が少ない。例えば、"};
}
template <class T> Expected<T> expectLargest(const T* x, int n, T got, const char* missed, const char* foreign) {
    int best = 0;
    bool found = false;
    for (int i = 0; i < n; i++) {
        if (x[i] > x[best]) best = i;
        found |= x[i] == got;
    }
    return {x[best], found ? missed : foreign, best, found ? "x[%d] の方が大きい。例えば、" : "入力にない値である: "};
}
template Expected<int> expectLargest(const int*, int, int, const char*, const char*);
template Expected<float> expectLargest(const float*, int, float, const char*, const char*);

}  // namespace book
