// 5.9 ライブラリと比べる: 足し方で、誤差はどれだけ違うか
// 同じ float の列を 4 通りに足し、正確な合計と比べる。木の形だけが GPU で、残りは CPU で足す
// 測定: なし
#include "harness.h"
#include "workspace.cuh"

// 1 個の変数に順に足す
float serial(const float* x, long long n) {
    float sum = 0;
    for (long long i = 0; i < n; i++) sum += x[i];
    return sum;
}

// 半分ずつに分けて足す
float pairwise(const float* x, long long n) {
    if (n <= 1) return n ? x[0] : 0;
    return pairwise(x, n / 2) + pairwise(x + n / 2, n - n / 2);
}

// --8<-- [start:kahan]
// 順に足しながら、丸めで捨てられた分を次に足す (Kahan)
float kahan(const float* x, long long n) {
    float sum = 0, lost = 0;
    for (long long i = 0; i < n; i++) {
        const float add = x[i] + lost, next = sum + add;
        lost = add - (next - sum);  // 足したかった分から、実際に増えた分を引く
        sum = next;
    }
    return sum;
}
// --8<-- [end:kahan]

// GPU の木 (2-fastest)
float tree(const float* x, long long n) {
    book::Array<float> x_dev(x, n), out_dev(1);
    Workspace().sum(x_dev.data, n, out_dev.data);
    return out_dev.first();
}

struct Way {
    const char *name, *label;
    float (*sum)(const float*, long long);
    book::Depth depth;  // 1 つの要素が通る足し算の回数。誤差は、この回数 × 2^-24 まで。Kahan の 4 は、この長さでの目安
};
const Way kWays[] = {{"serial", "順に足す", serial, book::serial},
                     {"pairwise", "半分ずつ", pairwise, book::tree},
                     {"kahan", "Kahan   ", kahan, [](double) { return 4.0; }},
                     {"tree", "GPU の木", tree, book::tree}};

int compare(const book::Options& o) {
    const std::string device = book::deviceName();
    const std::vector<float> x = book::makeInput<float>(o.n, o.input, o.seed);
    std::vector<long long> lengths;
    for (long long n = 1 << 10; n < o.n; n *= 4) lengths.push_back(n);
    lengths.push_back(o.n);

    if (!o.json) {
        printf("5.9 error: 正確な合計に対する、float の合計の相対誤差\n\n装置        : %s\n\n    要素数",
               device.c_str());
        for (const Way& w : kWays) printf("  %s", w.label);
    }
    bool agree = true;
    long long exact = 0, done = 0;
    for (const long long n : lengths) {
        for (; done < n; done++) exact += (long long)std::ldexp(x[done], 24);  // 要素は 2^-24 の倍数
        const double sum = std::ldexp(double(exact), -24);
        if (o.json) printf("{\"listing\": \"5.9 error\", \"device\": \"%s\", \"n\": %lld", device.c_str(), n);
        else printf("\n%10lld", n);
        for (const Way& w : kWays) {
            const double error = std::fabs(w.sum(x.data(), n) - sum) / (sum > 0 ? sum : 1);
            agree &= error <= std::ldexp(w.depth(double(n)), -24);
            if (o.json) printf(", \"%s\": %.6g", w.name, error);
            else printf("  %8.1e", error);
        }
        if (o.json) printf("}\n");
    }
    if (!o.json) printf("\n\n%s\n", agree ? "どれも、通る足し算の回数 × 2^-24 以下 ✅" : "大きすぎる誤差がある ❌");
    return agree ? book::kAgree : book::kDisagree;
}

int main(int argc, char** argv) {
    book::Options o;
    return book::each(argc, argv, o, {o.nOption(1LL << 32), o.repeatOption(), o.seedOption(), o.hotOption()},
                      [&] { return compare(o); });
}
