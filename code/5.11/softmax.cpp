// 5.11 の softmax の課題: 入力、CPU の答え、読んだ回数、判定。
#include "softmax.cuh"

#include <cstdlib>

#include "harness.h"

namespace softmax {

constexpr int kRows = 3, kMost = 4096;  // 行の数と、列の数の上限
const std::vector<int> kLengths{1, 2, 31, 33, 255, 257, 1000, 4096};  // make check が試す列の数

struct Source {
    const char* name;
    float (*value)(uint32_t random, bool special);  // 行に 1 つだけ special がある
};
static const Source kSources[] = {
    {"mixed", [](uint32_t r, bool) { return float(r >> 8) * 0x1p-20f - 8; }},  // -8 以上 8 未満
    {"large", [](uint32_t r, bool) { return float(r % 201); }},  // そのままの exp は float に収まらない
    {"negative", [](uint32_t r, bool) { return -3e38f - 4e36f * float(r % 9); }},  // 単位元の代わりになる数がない
    {"masked", [](uint32_t r, bool special) { return r % 2 && !special ? -INFINITY : float(r % 9); }}};

// 1 行の答えの指紋: 合計と、列ごとに違う重みを掛けた合計
struct Mark { double sum = 0, weighted = 0; };
template <class T> static Mark mark(const T* p, int columns) {
    Mark m;
    for (int c = 0; c < columns; c++) m.sum += p[c], m.weighted += double(p[c]) * double(c * 7919LL % 1009) / 1009;
    return m;
}

struct Answer {
    unsigned long long took;  // 読んだ回数
    Mark rows[kRows];
};

struct SoftmaxTrial : book::AnswerTrial<Answer> {
    void (*ask)(Input, float*, int, int);
    int reads;
    const Source* source = kSources;
    std::vector<float> x, out;
    std::vector<double> cpu;

    SoftmaxTrial(void (*ask)(Input, float*, int, int), int reads)
        : AnswerTrial("softmax", "float", "", "入力", "答え", kMost), ask(ask), reads(reads) {}

    std::vector<book::Option> options(book::Options& o) override {
        o.n = kMost;
        return {book::oneOf("--input", "入力", kSources, &source)};
    }
    std::vector<std::string> cases() override { return book::cases(kLengths, book::namesOf(kSources)); }
    void prepare() override {
        x.resize(kRows * o->n);
        std::mt19937 random(o->seed);
        const long long special = o->n > 0 ? random() % o->n : 0;
        for (size_t k = 0; k < x.size(); k++) x[k] = source->value(random(), (long long)k % o->n == special);
    }
    void expect() override {
        cpu.resize(x.size());
        for (int r = 0; r < kRows && o->n > 0; r++) {
            const float* row = x.data() + r * o->n;
            const double top = *std::max_element(row, row + o->n);
            double sum = 0;
            for (int c = 0; c < o->n; c++) sum += cpu[r * o->n + c] = std::exp(row[c] - top);
            for (int c = 0; c < o->n; c++) cpu[r * o->n + c] /= sum;
        }
    }
    void call() override {
        const book::Array<float> x_dev(x.data(), x.size()), out_dev(x.size());
        const book::Array<unsigned> reads_dev(1);
        CHECK(cudaMemset(reads_dev, 0, sizeof(unsigned)));
        book::timerStart();
        ask(Input(x_dev, reads_dev), out_dev, kRows, int(o->n));
        book::timerStop();
        out.resize(x.size());
        out_dev.copyTo(out.data(), out.size());
        result.took = reads_dev.first();
        for (int r = 0; r < kRows; r++) result.rows[r] = mark(out.data() + r * o->n, int(o->n));
    }
    std::string json() override { return book::format("\"input\": \"%s\", \"reads\": %llu", source->name, worst.took); }
    std::string report() override {
        return book::format("行列        : %d 行 %lld 列\n読んだ回数  : %llu\n", kRows, o->n, worst.took);
    }

    unsigned long long most() const { return reads * kRows * o->n; }
    // 丸めの回数: 畳む深さと、引き算、exp、割り算の分。exp は、16 までの差の丸めを、そのまま受け継ぐ
    double allowed() const { return std::ldexp(book::tree(double(o->n)) * 4 + 32, -24); }
    int wrongRow(const Answer& a) const {  // なければ kRows
        for (int r = 0; r < kRows; r++) {
            const Mark want = mark(cpu.data() + r * o->n, int(o->n)), got = a.rows[r];
            if (!(std::fabs(got.sum - want.sum) <= allowed() && std::fabs(got.weighted - want.weighted) <= allowed()))
                return r;
        }
        return kRows;
    }
    bool right(const Answer& a) const override { return a.took <= most() && wrongRow(a) == kRows; }
    std::string want() const override { return book::format("どの行の合計も 1、読んだ回数は %llu まで", most()); }
    std::string text(const Answer& a) const override {
        const int r = wrongRow(a);
        return r < kRows ? book::format("行 %d の合計は %.9g", r, a.rows[r].sum)
                         : book::format("どの行の合計も 1、読んだ回数は %llu", a.took);
    }
    std::string hint(const Answer& a) const override {
        const int r = wrongRow(a);
        if (r == kRows)
            return reads > 1 ? "答えは合うが、読んだ回数が多い: 1 度の読み出しで、2 つの数を一緒に畳めないか"
                             : "答えは合うが、読んだ回数が多い: 読んだ値を共有メモリに置いて、それを使えないか";
        if (std::isnan(a.rows[r].sum))
            return "NaN がある: 最大値を引かずに exp を求めたか、0 で割ったか、∞ どうしを引いた";
        if (std::fabs(a.rows[r].sum - 1) > allowed())
            return "行の合計が 1 でない: 最大値か合計に、入っていない要素か、余計な要素がある";
        return "行の合計は 1 だが、値が違う: 引いた最大値と、合計を求めたときの最大値は同じか";
    }
};

int run(int argc, char** argv, const char* file, void (*ask)(Input, float*, int, int), int reads) {
    return book::runTrials(argc, argv, file, {std::make_shared<SoftmaxTrial>(ask, reads)});
}

}  // namespace softmax
