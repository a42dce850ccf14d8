// 5.12 1 枚に収まらないとき: 何枚で足しても、同じビットの合計にする
// 装置の数だけに分けると、float の合計は数によって変わる。いつも同じ kParts 個に分け、その順に足せば変わらない
// 測定: なし
#include "harness.h"
#include "parts.cuh"

constexpr int kParts = 840;  // 1 から 8 のどれでも割り切れる数。受け持ちがそろう
constexpr int kBlocks = 512;  // GPU の種類が違っても、同じ数のブロックで、同じ順に足すように
constexpr int kMost = 8;     // 試す装置の数の最大

// --8<-- [start:same]
// 受け持ちの 1 つを足す人。装置の数が workers より少なければ、1 つの装置が何人分もする
struct Worker {
    static constexpr size_t kWords = reduce::wordsFor<float>(kBlocks);
    int device;
    book::Array<float> x, out;
    book::Array<reduce::Word> words;  // 作業領域
    Worker(int device, long long most) : device(use(device)), x(most), out(1), words(kWords) {
        CHECK(reduce::prepare(words.data, kWords * sizeof(reduce::Word)));
    }
    float sum(const float* from, Part part) {
        use(device);
        CHECK(cudaMemcpy(x, from + part.first, part.length * sizeof(float), cudaMemcpyHostToDevice));
        CHECK(reduce::foldBlocks(x.data, size_t(part.length), kBlocks, out.data, words.data, reduce::Add<float>()));
        return out.first();
    }
};

// n 個を parts 個に分け、workers 人で代わる代わる足し、部分の番号の順に足す
float sum(const float* x, long long n, int parts, int workers) {
    int devices;
    CHECK(cudaGetDeviceCount(&devices));
    std::vector<std::unique_ptr<Worker>> all;
    for (int k = 0; k < workers; k++) all.push_back(std::make_unique<Worker>(k % devices, partOf(n, 0, parts).length));
    std::vector<float> totals(parts);
    for (int p = 0; p < parts; p++) totals[p] = all[p % workers]->sum(x, partOf(n, p, parts));
    double total = 0;  // 部分の合計は少ないので、ホストで double に足せる
    for (float t : totals) total += t;
    return float(total);
}
// --8<-- [end:same]

int compare(const book::Options& o) {
    const std::string device = book::deviceName();
    const std::vector<float> x = book::makeInput<float>(o.n, o.input, o.seed);
    double exact = 0;  // 要素は 2^-24 の倍数なので、2^29 個までは double で正確
    for (float v : x) exact += v;
    const double depth = book::tree(double(o.n)) + kParts;
    const double allowed = book::tolerance<float>(depth, exact, book::Input::uniform);
    bool agree = true;
    float first = 0;
    printf(
        "5.12 same: 装置の数と、float の合計\n\n装置        : %s\n要素数      : %lld\n"
        "正確な合計  : %.17g\n\n数 数だけに分ける    いつも %d 個\n",
        device.c_str(), o.n, exact, kParts);
    for (int workers = 1; workers <= kMost; workers++) {
        const float split = sum(x.data(), o.n, workers, workers), fixed = sum(x.data(), o.n, kParts, workers);
        if (workers == 1) first = fixed;
        agree &= memcmp(&fixed, &first, sizeof fixed) == 0;  // 値でなく、ビットを比べる
        agree &= std::fabs(split - exact) <= allowed && std::fabs(fixed - exact) <= allowed;
        printf("%d %15.9g %16.9g\n", workers, split, fixed);
    }
    printf("\n%s\n", agree ? "右の列は、どれも同じビット ✅" : "右の列が同じでないか、誤差が大きすぎる ❌");
    return agree ? book::kAgree : book::kDisagree;
}

int main(int argc, char** argv) {
    book::Options o;
    return book::each(argc, argv, o, {o.nOption(1LL << 29), o.inputOption(), o.seedOption()},
                      [&] { return compare(o); });
}
