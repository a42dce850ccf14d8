// 5.13 いつも同じ、正しい総和: 分けて足しても、並べ替えても、同じビットになる
// 2-columns との違いは、丸めずに止めること。位のまま集めて、終わりに 1 度だけ丸める
// 測定: なし
#include "../5.12/parts.cuh"
#include "../reduce/exact.cuh"
#include "exact.cuh"

// --8<-- [start:kernel]
using reduce::Word;
using Columns = reduce::Columns<float>;
using Digits = Columns::Sum;
constexpr int kWords = Digits::kWords;

// 集めた位を丸めて、out に書く
__global__ void roundWords(const Word* words, float* out) {
    Digits total;
    total.d[0] = words[threadIdx.x];
    const float v = total.round<float>();
    if (threadIdx.x == 0) *out = v;
}
// --8<-- [end:kernel]

// --8<-- [start:host]
// x を parts 個に分け、部分 p を装置 p % 装置の数で足す。位は整数なので、ホストで足しても同じである
float sum(const std::vector<float>& x, int parts) {
    int devices;
    CHECK(cudaGetDeviceCount(&devices));
    std::vector<Word> total(kWords), words(kWords);
    for (int p = 0; p < parts; p++) {
        const Part part = partOf((long long)x.size(), p, parts);
        use(p % devices);
        book::Array<float> x_dev(x.data() + part.first, part.length);
        book::Array<Word> words_dev(kWords);
        CHECK(cudaMemset(words_dev, 0, kWords * sizeof(Word)));
        int sms;
        CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, p % devices));
        const int blocks = sms * Columns::kPerSm;
        CHECK(reduce::exactAsync(x_dev.data, size_t(part.length), (float*)nullptr, words_dev.data, blocks, 0));
        words_dev.copyTo(words.data(), kWords);
        for (int k = 0; k < Digits::kOdd; k++) total[k] += words[k];
        total[Digits::kOdd] |= words[Digits::kOdd];  // 見たものは、足さずに重ねる
    }
    use(0);
    book::Array<Word> total_dev(total.data(), kWords);
    book::Array<float> out_dev(1);
    roundWords<<<1, 32>>>(total_dev, out_dev);
    CHECK(cudaGetLastError());
    return out_dev.first();
}
// --8<-- [end:host]

// 比べる相手: 5.9 の総和で部分を足し、番号の順に足す
float plain(const std::vector<float>& x, int parts) {
    float total = 0;
    for (int p = 0; p < parts; p++) {
        const Part part = partOf((long long)x.size(), p, parts);
        book::Array<float> x_dev(x.data() + part.first, part.length), out_dev(1);
        Workspace().sum(x_dev.data, part.length, out_dev.data);
        total += out_dev.first();
    }
    return total;
}

int compare(const book::Options& o, const exact::Source& source) {
    const std::string device = book::deviceName();
    const float want = exact::expected(exact::input(source, o.n, o.seed, exact::Order::given));
    bool agree = true;
    printf(
        "5.13 parts: 分け方と並べ方を変えた合計\n\n装置        : %s\n要素数      : %lld (%s)\n"
        "正確な合計  : %.9g\n\n"
        "並べ方    部分     5.9 の総和         正確な総和\n",
        device.c_str(), o.n, source.name, want);
    for (const auto& [name, order] : {std::pair("そのまま", exact::Order::given),
                                      {"逆から  ", exact::Order::reverse},
                                      {"混ぜて  ", exact::Order::mixed}}) {
        const auto x = exact::input(source, o.n, o.seed, order);
        for (int parts : {1, 2, 4, 8}) {
            const float p = plain(x, parts), v = sum(x, parts);
            agree &= memcmp(&v, &want, sizeof v) == 0;  // 値でなく、ビットを比べる
            printf("%s %5d %16.9g %18.9g\n", name, parts, p, v);
        }
    }
    printf("\n%s\n", agree ? "右の列は、どれも正確な合計と同じビット ✅" : "右の列に、違うビットがある ❌");
    return agree ? book::kAgree : book::kDisagree;
}

int main(int argc, char** argv) {
    book::Options o;
    o.n = 1000003;  // 奇数なら、真ん中の 1 個が残る
    const exact::Source* source = &exact::kSources[3];  // cancel。順番を変えると、5.9 の総和は大きく変わる
    return book::each(argc, argv, o,
                      {o.nOption(1LL << 29), book::oneOf("--input", "入力", exact::kSources, &source), o.seedOption()},
                      [&] { return compare(o, *source); });
}
