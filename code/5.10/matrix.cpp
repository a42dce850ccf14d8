// 5.10 のリストを動かす: 行列の入力、CPU の合計、行か列ごとの比較、報告。
#include "matrix.cuh"

#include <cstdlib>

#include "harness.h"

namespace matrix {

constexpr long long kMost = 1LL << 33;   // 行列の要素の数 (行の間も数える) の上限
constexpr int kLongest = (1 << 30) - 1;  // 行と列の上限。端数のブロックでも、番号が int に収まる

struct Shape { int rows, columns; };
constexpr Shape kCheckShapes[] = {
    {0, 5},    {5, 0},   {1, 1},      {1, 1000}, {33, 1},   {3, 31},  // make check が試す形
    {257, 33}, {64, 32}, {100, 1000}, {7, 4097}, {1000, 3}, {2, 100003}};

// 要素の値。float は sum.cpp の入力と同じ。half は 2^-11 の倍数で、乱数の上位 11 ビット
template <class In> In element(uint32_t random, uint32_t most, bool integers) {
    if (integers) return In(float(1 + random % most));
    return sizeof(In) == 2 ? In(float(random >> 21) * 0x1p-11f) : In(float(random >> 8) * 0x1p-24f);
}

// 全部の合計のビットを番号の順に混ぜた 64 ビット (FNV-1a) と、合計の合計、書かれていない数。
// どれか 1 つでも違えば、指紋が違う
struct Fingerprint {
    unsigned long long hash = 0xcbf29ce484222325;
    double total = 0;
    long long unwritten = 0;
    template <class T> explicit Fingerprint(const std::vector<T>& sums) {
        for (const float v : sums) {
            uint32_t bits;
            memcpy(&bits, &v, sizeof bits);
            for (int k = 0; k < 32; k += 8) hash = (hash ^ (bits >> k & 255)) * 0x100000001b3u;
            total += v;
            unwritten += std::isnan(v);
        }
    }
};

// 指定された形。どの型でも同じ。なければ負
struct Given {
    book::Options* o = nullptr;
    long long rows = -1, columns = -1, gap = 0;
};
static Given given;

template <class In> struct MatrixTrial : book::Trial {
    Sums<In> sums;
    book::Depth depth;
    Each each;
    long long rows = 0, columns = 0, ld = 0;
    std::vector<In> in;
    std::vector<double> cpu;
    std::vector<float> gpu, worst;
    long long wrong = -1, first = -1;  // いちばん悪い結果の、違う合計の数と最初の番号

    MatrixTrial(Sums<In> sums, book::Depth depth, Each each)
        : Trial("matrix", sizeof(In) == 2 ? "half" : "float", "\"uniform\", \"integers\"", "行列", "合計",
                (1LL << 31) - 1024),
          sums(sums),
          depth(depth),
          each(each) {}

    std::vector<book::Option> options(book::Options& o) override {
        given.o = &o;
        std::vector<book::Option> table = o.all(maxN);
        table.insert(table.begin() + 1, {book::integer("--rows 行の数", 0, kLongest, &given.rows),
                                         book::integer("--cols 列の数", 0, kLongest, &given.columns),
                                         book::integer("--gap 行の間の数", 0, kLongest, &given.gap)});
        return table;
    }
    std::vector<std::string> cases() override {
        std::vector<std::string> lines;
        for (const Shape s : kCheckShapes)
            for (const int gap : {0, 5})
                lines.push_back(book::format("--rows %d --cols %d --gap %d\t--input integers --repeat 2", s.rows,
                                             s.columns, gap));
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
    double allowed(double sum) const { return book::tolerance<float>(depth(double(length())), sum, o->input); }

    void prepare() override {
        shape();
        const bool integers = o->input == book::Input::integers;
        const uint32_t most = book::largestInteger<float>(length());
        if (integers && most == 0)
            book::badUsage(book::format("%lld 個の整数の合計は float に収まらない: N を小さくする", length()));
        in.assign(rows * ld, In(std::nanf("")));  // 行の間を足すと、NaN になる
        std::mt19937 random(o->seed);
        for (long long r = 0; r < rows; r++)
            for (long long c = 0; c < columns; c++) in[r * ld + c] = element<In>(uint32_t(random()), most, integers);
        gpu.assign(count(), std::nanf(""));
        wrong = first = -1;
    }
    void expect() override {
        cpu.assign(count(), 0);
        for (long long r = 0; r < rows; r++)
            for (long long c = 0; c < columns; c++) cpu[each == Each::row ? r : c] += double(float(in[r * ld + c]));
    }
    void call() override { sums(in.data(), gpu.data(), int(rows), int(columns), size_t(ld)); }
    void compare() override {
        long long bad = 0, at = -1;
        for (long long k = 0; k < count(); k++)  // NaN は一致しない
            if (!(std::fabs(double(gpu[k]) - cpu[k]) <= allowed(cpu[k])) && bad++ == 0) at = k;
        if (bad > wrong) wrong = bad, first = at, worst = gpu;
        std::fill(gpu.begin(), gpu.end(), std::nanf(""));  // 次の回に、この結果を残さない
    }
    bool agree() override { return wrong == 0; }

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
        const double sum = total(worst), placed = weighted(worst);
        const char* quote = std::isfinite(sum) ? "" : "\"";
        return book::format(
            "\"input\": \"%s\", \"rows\": %lld, \"columns\": %lld, \"ld\": %lld, \"cpu\": %.17g, \"gpu\": %s%.17g%s, "
            "\"weighted\": %s%.17g%s, \"wrong\": %lld, \"first_wrong\": %lld, \"tolerance\": %.9g",
            o->input == book::Input::uniform ? "uniform" : "integers", rows, columns, ld, total(cpu), quote, sum, quote,
            quote, placed, quote, wrong, first, allowed(1));
    }
    std::string report() override {
        const std::string where =
            agree() ? "" : book::format(" (最初は out[%lld]: CPU %.9g, GPU %.9g)", first, cpu[first], worst[first]);
        return book::format(
            "行列        : %lld 行 %lld 列%s\n合計の数    : %lld (%sごと)\nCPU の合計  : %.9g\n"
            "GPU の合計  : %.9g\n違う合計    : %lld%s\n",
            rows, columns, ld == columns ? "" : book::format(" (%lld 個おき)", ld).c_str(), count(),
            each == Each::row ? "行" : "列", total(cpu), total(worst), wrong, where.c_str());
    }
    std::string gpuNote(double kernelMs) override {
        const double bytes = double(rows) * double(columns) * sizeof(In) + double(count()) * sizeof(float);
        const double gbs = kernelMs > 0 ? bytes / kernelMs / 1e6 : 0, peak = book::peakGBs();
        return book::format("%.1f GB/s", gbs) +
               (peak > 0 ? book::format(", 理論帯域の %.1f %%", 100 * gbs / peak) : "");
    }

    // 判定は整数の入力でする (cases)。合計は正確なので、指紋まで同じになる
    std::string answer() override {
        const Fingerprint f(gpu);
        return book::format("%016llx %.17g %lld", f.hash, f.total, f.unwritten);
    }
    book::Verdict judge(const std::string& answer) override {
        const Fingerprint want(cpu);
        Fingerprint got{std::vector<float>()};
        book::Verdict v{false, book::format("合計の合計が %.9g、全部の指紋 %016llx", want.total, want.hash), "", ""};
        int used = 0;
        if (sscanf(answer.c_str(), "%16llx %lg %lld%n", &got.hash, &got.total, &got.unwritten, &used) != 3 ||
            used != int(answer.size()))
            return v;
        v.agree = got.hash == want.hash;
        v.got = book::format("合計の合計が %.9g、全部の指紋 %016llx", got.total, got.hash);
        const char* each = this->each == Each::row ? "行" : "列";
        if (got.unwritten)
            v.hint = book::format("%lld 個が数でない値 (NaN) である: 合計を書いていない%sか、行の間を足した%sがある",
                                  got.unwritten, each, each);
        else if (got.total < want.total)
            v.hint = book::format("合計が足りない%sがある: 足されていない要素がある", each);
        else if (got.total > want.total)
            v.hint = book::format("合計が多い%sがある: 2 回足した要素か、隣の%sの要素がある", each, each);
        else v.hint = book::format("合計の合計は合うが、%sごとの値か場所が違う", each);
        return v;
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
