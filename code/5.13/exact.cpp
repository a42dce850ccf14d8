// 5.13 のリストを動かす: 入力、筆算の答え、比較、報告。
#include "exact.cuh"

namespace exact {

// ---------------------------------------------------------------- 入力
static float fromBits(uint32_t bits) {
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}
static uint32_t bitsOf(float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
// 乱数の上の 24 ビットを符号と仮数に、下の 8 ビットを count 個の指数のどれかにする
static float spread(uint32_t r, uint32_t lowest, uint32_t count) {
    return fromBits((r & 0x80000000) | (lowest + (r & 255) * count / 256) << 23 | (r >> 8 & 0x7fffff));
}
const Source kSources[] = {
    {"uniform", [](uint32_t r) { return float(r >> 8) * 0x1p-24f; }},  // [0, 1)
    {"ordinary", [](uint32_t r) { return spread(r, 117, 21); }},       // ±2^-10 から ±2^10
    {"wide", [](uint32_t r) { return spread(r, 7, 241); }},            // ±2^-120 から ±2^120
    {"cancel", [](uint32_t r) { return spread(r, 97, 61); }},  // 2 つずつ打ち消し合い、真ん中の 1 個だけが残る
    {"tiny", [](uint32_t r) { return spread(r % 8 ? r : r & 0x800000ff, 0, 4); }},  // 非正規化数と、そのすぐ上。±0 も
    {"infinite", [](uint32_t r) { return r % 16 == 0 ? INFINITY : spread(r, 248, 7); }},  // 有限なら ±2^121 から ±2^128
    {"minus", [](uint32_t r) { return r % 16 == 0 ? -INFINITY : spread(r, 117, 21); }},
    {"both", [](uint32_t r) { return r % 16 == 0 ? (r & 16 ? -INFINITY : INFINITY) : spread(r, 117, 21); }},
    {"nan", [](uint32_t r) { return r % 16 == 0 ? (r & 16 ? fromBits(0x7fa00000) : INFINITY) : spread(r, 117, 21); }},
};
static const std::vector<std::string> kOrders{"given", "reverse", "mixed"};

std::vector<float> input(const Source& source, long long n, uint32_t seed, Order order) {
    std::vector<float> x(n);
    std::mt19937 random(seed);
    for (auto& v : x) v = source.value(random());
    if (!strcmp(source.name, "cancel"))
        for (long long i = 0; i < n / 2; i++) x[n - 1 - i] = -x[i];
    if (order == Order::reverse) std::reverse(x.begin(), x.end());
    if (order == Order::mixed)
        for (long long i = n - 1; i > 0; i--) std::swap(x[i], x[random() % (i + 1)]);
    return x;
}

// ---------------------------------------------------------------- 筆算
// 桁ごとに足してから、下から 1 度だけ繰り上げて、2 進の桁にする
template <class T> T expected(const std::vector<T>& x) {
    using Limits = std::numeric_limits<T>;
    using Count = std::conditional_t<sizeof(T) == 4, long long, __int128>;
    constexpr int kUnit = Limits::digits - Limits::min_exponent;  // いちばん小さい数は 2^-kUnit
    std::vector<Count> place(Limits::max_exponent + kUnit + 64);  // place[k] は、その 2^k 倍がいくつあるか
    bool plus = false, minus = false;
    for (const T v : x) {
        plus |= !std::isfinite(v) && !(v < 0), minus |= !std::isfinite(v) && !(v > 0);  // NaN は、どちらでもある
        if (plus || minus) continue;
        int e = 0;
        std::frexp(v, &e);
        const int k = std::max(e - Limits::min_exponent, 0);
        place[k] += (long long)std::ldexp(v, kUnit - k);
    }
    if (plus || minus) return plus && minus ? NAN : plus ? INFINITY : -INFINITY;
    const auto carry = [&] {
        Count more = 0;
        for (Count& p : place) more += p, p = more & 1, more >>= 1;
        return more;
    };
    const bool negative = carry() < 0;
    if (negative) {  // 2 の補数を、絶対値にする
        for (Count& p : place) p = -p;
        carry();
    }
    int top = int(place.size()) - 1;
    while (top >= 0 && !place[top]) top--;
    if (top < 0) return 0;
    const int last = std::max(top - Limits::digits + 1, 0);  // 残る、いちばん下の桁
    uint64_t m = 0;
    for (int k = top; k >= last; k--) m = 2 * m + uint64_t(place[k]);
    const bool below = last > 0 && std::count(place.begin(), place.begin() + last - 1, Count(1)) > 0;
    if (last > 0 && place[last - 1] && (below || m % 2)) m++;
    const T size = std::ldexp(T(m), last - kUnit);  // 大きすぎれば ∞
    return negative ? -size : size;
}
template float expected(const std::vector<float>&);
template double expected(const std::vector<double>&);
static std::string hex(float v) { return book::format("%08x", std::isnan(v) ? 0x7fc00000 : bitsOf(v)); }
static std::string told(float v) { return (std::isnan(v) ? "NaN" : book::show(v)) + " (0x" + hex(v) + ")"; }
static bool same(float a, float b) { return bitsOf(a) == bitsOf(b) || (std::isnan(a) && std::isnan(b)); }

struct ExactTrial : book::AnswerTrial<float> {
    Sum sum;
    const Source* source = kSources;
    Order order = Order::given;
    int blocks = 0;
    std::vector<float> x;
    float cpu = 0;

    explicit ExactTrial(Sum sum) : AnswerTrial("exact", "float", "", "入力", "正確な合計", 1LL << 32), sum(sum) {}
    std::vector<book::Option> options(book::Options& o) override {
        o.n = 1 << 20;
        return {book::oneOf("--input", "入力", kSources, &source),
                book::oneOf("--order", "並べ方", kOrders, [this](size_t k) { order = Order(k); }),
                book::integer("--blocks 個数", 0, 65535, &blocks)};
    }
    std::vector<std::string> cases() override { return book::cases(book::kCheckSizes, book::namesOf(kSources), 3); }
    void prepare() override { x = input(*source, o->n, o->seed, order); }
    void expect() override { cpu = expected(x); }
    void call() override { result = sum(x.data(), o->n, blocks); }
    std::string json() override {
        return book::format(
            "\"input\": \"%s\", \"order\": \"%s\", \"blocks\": %d, \"cpu\": %s, \"gpu\": %s, \"cpu_bits\": \"%s\", "
            "\"gpu_bits\": \"%s\"",
            source->name, kOrders[int(order)].c_str(), blocks, book::json(cpu).c_str(), book::json(worst).c_str(),
            hex(cpu).c_str(), hex(worst).c_str());
    }
    std::string report() override {
        return book::format("要素数      : %lld (%s)\n正確な合計  : %s\nGPU の合計  : %s\n", o->n, source->name,
                            told(cpu).c_str(), told(worst).c_str());
    }
    std::string gpuNote(double kernelMs) override { return book::bandwidth(double(o->n) * sizeof(float), kernelMs); }
    bool right(const float& got) const override { return same(got, cpu); }
    std::string want() const override { return told(cpu); }
    std::string text(const float& got) const override { return told(got); }
    std::string hint(const float& got) const override {
        return std::fabs(got - cpu) <= 0x1p-22f * std::fabs(cpu)
                   ? "丸めが違う: 切り捨てたか、2 度丸めたか、ちょうど真ん中を偶数にしていない"
                   : "合計が違う: 符号、隠れた 1、非正規化数、繰り上がりを確かめる";
    }
};

int run(int argc, char** argv, const char* file, Sum sum) {
    return book::runTrials(argc, argv, file, {std::make_shared<ExactTrial>(sum)});
}

}  // namespace exact
