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
struct Source {
    const char* name;
    float (*value)(uint32_t random);
};
static const Source kSources[] = {
    {"uniform", [](uint32_t r) { return float(r >> 8) * 0x1p-24f; }},  // [0, 1)
    {"ordinary", [](uint32_t r) { return spread(r, 117, 21); }},       // ±2^-10 から ±2^10
    {"wide", [](uint32_t r) { return spread(r, 7, 241); }},            // ±2^-120 から ±2^120
    {"cancel", [](uint32_t r) { return spread(r, 97, 61); }},  // 2 つずつ打ち消し合い、真ん中の 1 個だけが残る
    {"tiny", [](uint32_t r) { return spread(r, 0, 4); }},  // 非正規化数と、そのすぐ上
    {"infinite", [](uint32_t r) { return r % 64 == 0 ? INFINITY : spread(r, 117, 21); }},
    {"nan", [](uint32_t r) { return r % 64 == 0 ? (r & 64 ? NAN : -INFINITY) : spread(r, 117, 21); }},
};
book::Option inputOption(std::string* kind) {
    static const Source* chosen;
    book::Option option = book::oneOf("--input", "入力", kSources, &chosen);
    option.read = [=, read = option.read](const std::string& v) { read(v), *kind = v; };
    return option;
}

struct Way { const char* name; };
static const Way kOrders[] = {{"given"}, {"reverse"}, {"mixed"}};

static std::vector<float> input(const Source& source, long long n, uint32_t seed, int order) {
    std::vector<float> x(n);
    std::mt19937 random(seed);
    for (auto& v : x) v = source.value(random());
    if (!strcmp(source.name, "cancel"))
        for (long long i = 0; i < n / 2; i++) x[n - 1 - i] = -x[i];
    if (order == 1) std::reverse(x.begin(), x.end());
    if (order == 2)
        for (long long i = n - 1; i > 0; i--) std::swap(x[i], x[random() % (i + 1)]);
    return x;
}
std::vector<float> input(const std::string& kind, long long n, uint32_t seed, Order order) {
    const Source* source =
        std::find_if(std::begin(kSources), std::end(kSources), [&](auto& s) { return kind == s.name; });
    return input(*source, n, seed, int(order));
}

// ---------------------------------------------------------------- 筆算
// いちばん小さい数を 1 とする長い整数 (負の数は 2 の補数)。1 個足すたびに、繰り上がりを終わりまで送る
struct Long {
    static constexpr int kWords = 70;  // double は 2098 ビット。2^64 個まで足せる
    uint32_t word[kWords] = {};
    void add(uint32_t m, int shift, bool minus) {
        uint64_t part = uint64_t(m) << shift % 32, more = 0;
        for (int k = shift / 32; k < kWords; k++, part >>= 32) {
            const uint64_t old = word[k], change = uint32_t(part) + more;
            word[k] = uint32_t(minus ? old - change : old + change);
            more = minus ? old < change : (old + change) >> 32;
            if (!(part >> 32) && !more) return;
        }
    }
    bool bit(int k) const { return word[k / 32] >> k % 32 & 1; }
    template <class T> T round() const {
        constexpr int kDigits = std::numeric_limits<T>::digits, kUnit = kDigits - std::numeric_limits<T>::min_exponent;
        Long v = *this;
        const bool negative = bit(32 * kWords - 1);
        if (negative) {
            for (auto& w : v.word) w = ~w;
            v.add(1, 0, false);
        }
        int top = 32 * kWords - 1;
        while (top >= 0 && !v.bit(top)) top--;
        if (top < 0) return 0;
        const int last = std::max(top - kDigits + 1, 0);  // 残る、いちばん下のビット
        uint64_t m = 0;
        for (int k = top; k >= last; k--) m = 2 * m + v.bit(k);
        bool below = false;
        for (int k = 0; k < last - 1; k++) below |= v.bit(k);
        if (last > 0 && v.bit(last - 1) && (below || m % 2)) m++;
        const T size = std::ldexp(T(m), last - kUnit);  // 大きすぎれば ∞
        return negative ? -size : size;
    }
};
template <class T> T expected(const std::vector<T>& x) {
    constexpr int kFraction = std::numeric_limits<T>::digits - 1, kTop = 2 * std::numeric_limits<T>::max_exponent - 1;
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    Long total;
    bool plus = false, minus = false;
    for (const T v : x) {
        Bits b;
        memcpy(&b, &v, sizeof b);
        const int e = int(b >> kFraction & kTop);
        const bool negative = std::signbit(v);
        uint64_t m = b & ((Bits(1) << kFraction) - 1);
        if (e == kTop) {
            plus |= m || !negative, minus |= m || negative;
            continue;
        }
        if (e > 0) m |= uint64_t(1) << kFraction;
        total.add(uint32_t(m), std::max(e, 1) - 1, negative);
        if (m >> 32) total.add(uint32_t(m >> 32), std::max(e, 1) + 31, negative);
    }
    if (plus || minus) return plus && minus ? NAN : plus ? INFINITY : -INFINITY;
    return total.round<T>();
}
template float expected(const std::vector<float>&);
template double expected(const std::vector<double>&);
static std::string hex(float v) { return book::format("%08x", std::isnan(v) ? 0x7fc00000 : bitsOf(v)); }
static std::string told(float v) { return (std::isnan(v) ? "NaN" : book::show(v)) + " (0x" + hex(v) + ")"; }
static bool same(float a, float b) { return bitsOf(a) == bitsOf(b) || (std::isnan(a) && std::isnan(b)); }

struct ExactTrial : book::Trial {
    Sum sum;
    const Source* source = kSources;
    const Way* order = kOrders;
    int blocks = 0;
    std::vector<float> x;
    float cpu = 0, result = 0, worst = 0;
    bool agreed = true;

    explicit ExactTrial(Sum sum) : Trial("exact", "float", "", "入力", "正確な合計", 1LL << 32), sum(sum) {}
    std::vector<book::Option> options(book::Options& o) override {
        o.n = 1 << 20;
        return {o.nOption(maxN),
                book::oneOf("--input", "入力", kSources, &source),
                book::oneOf("--order", "並べ方", kOrders, &order),
                book::integer("--blocks 個数", 0, 65535, &blocks),
                o.repeatOption(),
                o.seedOption(),
                o.hotOption()};
    }
    std::vector<std::string> cases() override {
        std::vector<std::string> lines;
        size_t k = 0;
        for (const int n : book::kCheckSizes)
            for (int times = 0; times < 3; times++, k++)  // 長さと入力の組を、ずらしながら
                lines.push_back(book::format("--n %d --input %s\t--repeat 2", n,
                                             kSources[k % std::size(kSources)].name));
        return lines;
    }
    void prepare() override {
        x = input(*source, o->n, o->seed, int(order - kOrders));
        agreed = true;
    }
    void expect() override { cpu = expected(x); }
    void call() override { result = sum(x.data(), o->n, blocks); }
    void compare() override {
        if (agreed) worst = result, agreed = same(result, cpu);
    }
    bool agree() override { return agreed; }
    std::string json() override {
        return book::format(
            "\"input\": \"%s\", \"order\": \"%s\", \"blocks\": %d, \"cpu\": %s, \"gpu\": %s, \"cpu_bits\": \"%s\", "
            "\"gpu_bits\": \"%s\"",
            source->name, order->name, blocks, book::json(cpu).c_str(), book::json(worst).c_str(), hex(cpu).c_str(),
            hex(worst).c_str());
    }
    std::string report() override {
        return book::format("要素数      : %lld (%s)\n正確な合計  : %s\nGPU の合計  : %s\n", o->n, source->name,
                            told(cpu).c_str(), told(worst).c_str());
    }
    std::string gpuNote(double kernelMs) override { return book::bandwidth(double(o->n) * sizeof(float), kernelMs); }
    std::string answer() override { return hex(result); }
    book::Verdict judge(const std::string& answer) override {
        book::Verdict v{false, told(cpu), "", ""};
        char* end = nullptr;
        const float got = fromBits(uint32_t(strtoul(answer.c_str(), &end, 16)));
        if (answer.size() != 8 || *end) return v;
        v.agree = same(got, cpu);
        v.got = told(got);
        const bool near = std::fabs(got - cpu) <= 0x1p-22f * std::fabs(cpu);
        v.hint = near ? "丸めが違う: 切り捨てたか、2 度丸めたか、ちょうど真ん中を偶数にしていない"
                      : "合計が違う: 符号、隠れた 1、非正規化数、繰り上がりを確かめる";
        return v;
    }
};

int run(int argc, char** argv, const char* file, Sum sum) {
    return book::runTrials(argc, argv, file, {std::make_shared<ExactTrial>(sum)});
}

}  // namespace exact
