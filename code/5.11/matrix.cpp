// 5.11 のリストを動かす: 行列の入力、CPU の合計、行か列ごとの比較、報告。
#include "matrix.cuh"

#include <cstdlib>

#include "harness.h"

namespace matrix {

constexpr long long kMost = 1LL << 33;   // 行列の要素の数 (行の間も数える) の上限
constexpr int kLongest = (1 << 30) - 1;  // 行と列の上限。端数のブロックでも、番号が int に収まる

struct Shape { int rows, columns; };
constexpr Shape kCheckShapes[] = {
    {0, 5},    {5, 0},   {1, 1},      {1, 1000}, {33, 1},  {3, 31},  // make check が試す形
    {257, 33}, {64, 32}, {100, 1000}, {7, 4097}, {300, 3}, {2, 100003}};

// 指定された形。どの型でも同じ。なければ負
struct Given {
    book::Options* o = nullptr;
    long long rows = -1, columns = -1, gap = 0;
};
static Given given;

template <class In> struct MatrixTrial : book::ElementTrial<double> {
    Sums<In> sums;
    book::Depth depth;
    Each each;
    long long rows = 0, columns = 0, ld = 0;
    float times = 1;  // 入力を何倍にするか
    std::vector<In> in;

    MatrixTrial(Sums<In> sums, book::Depth depth, Each each)
        : ElementTrial("matrix", sizeof(In) == 2 ? "half" : "float", "\"uniform\", \"integers\"", "行列", "合計",
                       (1LL << 31) - 1024),
          sums(sums),
          depth(depth),
          each(each) {}

    std::vector<book::Option> options(book::Options& o) override {
        given.o = &o;
        return {book::integer("--rows 行の数", 0, kLongest, &given.rows),
                book::integer("--cols 列の数", 0, kLongest, &given.columns),
                book::integer("--gap 行の間の数", 0, kLongest, &given.gap),
                o.inputOption(),
                {"--negative", [this](const std::string&) { times = -0x1p-60; }, true}};  // 小さな、負の数
    }
    std::vector<std::string> cases() override {
        std::vector<std::string> lines;
        for (const Shape s : kCheckShapes)
            for (const int gap : {0, 5})
                lines.push_back(book::format("--rows %d --cols %d --gap %d\t--input integers --repeat 2%s", s.rows,
                                             s.columns, gap, gap ? " --negative" : ""));
        return lines;
    }
    // 行と列の両方を指定しなければ、N 個を並べる。どちらもなければ、正方形に近い行列にする
    void shape() {
        rows = given.rows, columns = given.columns;
        if (rows >= 0 && columns >= 0) given.o->n = rows * columns;
        if (columns < 0) columns = rows < 0 ? (long long)std::sqrt(double(o->n)) : rows ? o->n / rows : 0;
        if (rows < 0) rows = columns ? o->n / columns : o->n;
        ld = columns + given.gap;
        if (std::max(rows, columns) > kLongest)
            book::badUsage(book::format("%lld 行 %lld 列は大きすぎる: 行と列は %d まで", rows, columns, kLongest));
        if (rows * ld > kMost)
            book::badUsage(book::format("%lld 行を %lld 個おきに置くと大きすぎる: 全部で %lld 個まで", rows, ld,
                                        kMost));
    }
    long long count() const { return each == Each::row ? rows : columns; }   // 合計の数
    long long length() const { return each == Each::row ? columns : rows; }  // 1 個の合計に足す個数
    double allowed(double sum) const override { return book::tolerance<float>(depth(double(length())), sum, o->input); }

    void prepare() override {
        shape();
        const uint32_t most = book::largestInteger<float>(length());
        if (o->input == book::Input::integers && most == 0)
            book::badUsage(book::format("%lld 個の整数の合計は float に収まらない: N を小さくする", length()));
        in.assign(rows * ld, In(std::nanf("")));  // 行の間を足すと、NaN になる
        std::mt19937 random(o->seed);
        for (long long r = 0; r < rows; r++)
            for (long long c = 0; c < columns; c++)
                in[r * ld + c] = In(times * float(book::element<In>(uint32_t(random()), most, o->input)));
        empty(count());
    }
    void expect() override {
        cpu.assign(count(), 0);
        for (long long r = 0; r < rows; r++)
            for (long long c = 0; c < columns; c++) cpu[each == Each::row ? r : c] += double(float(in[r * ld + c]));
    }
    void call() override { sums(in.data(), out.data(), int(rows), int(columns), size_t(ld)); }

    std::string facts() override { return book::format(", \"each\": \"%s\"", each == Each::row ? "row" : "column"); }
    // 番号 k の合計に (k % 1000 + 1) を掛けて足す。どの合計がどこにあるかも確かめられる
    template <class T> static double weighted(const std::vector<T>& sums) {
        double v = 0;
        for (size_t k = 0; k < sums.size(); k++) v += double(k % 1000 + 1) * double(sums[k]);
        return v;
    }
    template <class T> static double total(const std::vector<T>& sums) {
        double v = 0;
        for (const double s : sums) v += s;
        return v;
    }
    std::string json() override {
        return book::format(
            "\"input\": \"%s\", \"rows\": %lld, \"columns\": %lld, \"ld\": %lld, \"cpu\": %.17g, \"gpu\": %s, "
            "\"weighted\": %s, %s, \"tolerance\": %.9g",
            o->input == book::Input::uniform ? "uniform" : "integers", rows, columns, ld, total(cpu),
            book::json(total(wrongest)).c_str(), book::json(weighted(wrongest)).c_str(), wrongJson().c_str(),
            allowed(1));
    }
    std::string report() override {
        return book::format(
            "行列        : %lld 行 %lld 列%s\n合計の数    : %lld (%sごと)\nCPU の合計  : %.9g\n"
            "GPU の合計  : %.9g\n違う合計    : %s\n",
            rows, columns, ld == columns ? "" : book::format(" (%lld 個おき)", ld).c_str(), count(),
            each == Each::row ? "行" : "列", total(cpu), total(wrongest), differences().c_str());
    }
    std::string gpuNote(double kernelMs) override {
        return book::bandwidth(double(rows) * double(columns) * sizeof(In) + double(count()) * sizeof(float), kernelMs);
    }

    // 判定は整数の入力でする (cases)。合計は正確なので、指紋まで同じになる
    std::string text(const book::Fingerprint& f) const override {
        return book::format("合計の合計が %.9g、全部の指紋 %016llx", f.total, f.hash);
    }
    std::string hint(const book::Fingerprint& got) const override {
        const double less = times * (book::Fingerprint(cpu).total - got.total);
        const char* each = this->each == Each::row ? "行" : "列";
        if (got.unwritten)
            return book::format("%lld 個が数でない値 (NaN) である: 合計を書いていない%sか、行の間を足した%sがある",
                                got.unwritten, each, each);
        if (less > 0) return book::format("合計が足りない%sがある: 足されていない要素がある", each);
        if (less < 0) return book::format("合計が多い%sがある: 2 回足した要素か、隣の%sの要素がある", each, each);
        return book::format("合計の合計は合うが、%sごとの値か場所が違う", each);
    }
};

template <class In>
Matrix::Matrix(Sums<In> sums, book::Depth depth, Each each)
    : trial(std::make_shared<MatrixTrial<In>>(sums, depth, each)) {}
template Matrix::Matrix(Sums<float>, book::Depth, Each);
template Matrix::Matrix(Sums<__half>, book::Depth, Each);

int run(int argc, char** argv, const char* file, std::initializer_list<Matrix> matrices) {
    std::vector<std::shared_ptr<book::Trial>> trials;
    for (auto& m : matrices) trials.push_back(m.trial);
    return book::runTrials(argc, argv, file, trials);
}

}  // namespace matrix
