// 5.13 いつも同じ、正しい総和: 5.9 の総和、CUB と比べる
// 同じ場所を、L2 が冷たい所から代わる代わる足す。どれも CUDA グラフで再生する。CUB 3.5 の gpu_to_gpu も測る
// 必要: GPU
// 必要: sm_80
// 測定: なし
#include "book.cuh"

#ifdef CPU_DEVICE
int main() { return book::gpuOnly("CUB"); }
#else
#include "speed.cuh"

using namespace compare;

struct Speed {
    Device& d;
    const book::Options& o;
    std::string device;
    int perSm;
    book::Array<Word> words{kWords};

    // 1 つの入力と長さで、全部の足し方を測る
    bool at(int kind, size_t n) {
        const Plan p(d, n, sizeof(float));
        float *data = d.as<float>(d.data), *outs = d.as<float>(d.outs);
        fill<<<d.sms * 4, 512, 0, d.stream>>>(kind, data, p.count * p.stride / sizeof(float));
        CHECK(cudaGetLastError());
        const int grid = d.sms * perSm;
        struct Way {
            const char* name;
            bool exact;
            std::function<void(int)> call;
        };
        const auto x = [&](int c) { return data + p.first(c); };
        std::vector<Way> ways = {
            {"plain", false, [&](int c) { sumAsync(x(c), n, outs + c, d.slots, d.sms, d.stream); }},
            {"columns", true, [&](int c) { exactAsync(x(c), n, outs + c, words, grid, d.stream); }},
            {"cub", false,
             [&](int c) {
                 size_t bytes = kTempBytes;
                 CHECK(cub::DeviceReduce::Sum(d.temp, bytes, x(c), outs + c, uint32_t(n), d.stream));
             }},
#if CUB_VERSION >= 300500
            {"cub gpu_to_gpu", false,
             [&](int c) { CHECK(cub::DeviceReduce::Sum(x(c), outs + c, uint32_t(n), reproducible(d))); }},
#endif
        };
        // 正しいビット: グリッドを変えて足したもの。2^26 個までは、ホストの筆算とも比べる
        std::vector<float> want(p.calls), got(p.calls);
        for (int c = 0; c < p.calls; c++) exactAsync(x(c), n, outs + c, words, 37, d.stream);
        CHECK(cudaStreamSynchronize(d.stream));
        CHECK(cudaMemcpy(want.data(), outs, p.calls * sizeof(float), cudaMemcpyDeviceToHost));
        bool agree = true;
        if (n <= size_t(1) << 26) {
            std::vector<float> host(n);
            CHECK(cudaMemcpy(host.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost));
            const float exact = exact::expected(host);
            agree &= memcmp(&exact, &want[0], sizeof exact) == 0;
        }
        // --8<-- [start:measure]
        std::vector<std::unique_ptr<Side>> sides;
        std::vector<bool> right(ways.size(), agree);
        for (auto& w : ways) sides.push_back(std::make_unique<Side>(d, p.calls, w.call));
        for (int k = 0; k <= o.repeat; k++)
            for (size_t s = 0; s < ways.size(); s++) {
                const size_t w = k % 2 ? ways.size() - 1 - s : s;  // 1 回ごとに、測る順番を逆にする
                CHECK(cudaMemset(outs, 0xff, p.calls * sizeof(float)));  // 前の結果を残さない
                sides[w]->sample();
                CHECK(cudaMemcpy(got.data(), outs, p.calls * sizeof(float), cudaMemcpyDeviceToHost));
                if (ways[w].exact) right[w] = right[w] && memcmp(got.data(), want.data(), p.calls * sizeof(float)) == 0;
                if (k == 0) sides[w]->us.clear();  // 1 回目は準備を含む
            }
        // --8<-- [end:measure]
        const double base = book::median(sides[0]->us);
        for (size_t w = 0; w < ways.size(); w++) {
            const Spread s = spread(sides[w]->us);
            if (o.json)
                printf(
                    "{\"listing\": \"5.13 speed\", \"device\": \"%s\", \"cub\": \"%d.%d.%d\", \"type\": \"float\", "
                    "\"input\": \"%s\", \"n\": %zu, \"bytes\": %zu, \"way\": \"%s\", \"per_sm\": %d, \"agree\": %s, "
                    "\"us\": %.6g, \"us_min\": %.6g, \"us_max\": %.6g, \"calls\": %d, \"repeat\": %d}\n",
                    device.c_str(), CUB_VERSION / 100000, CUB_VERSION / 100 % 1000, CUB_VERSION % 100, kNames[kind], n,
                    n * sizeof(float), ways[w].name, perSm, right[w] ? "true" : "false", s.median, s.low, s.high,
                    p.calls, o.repeat);
            else
                printf("%-9s %10zu %-15s %10.2f µs  %5.3f %s\n", kNames[kind], n, ways[w].name, s.median,
                       base / s.median,
                       !ways[w].exact ? ""
                       : right[w]     ? "一致"
                                      : "不一致 ❌");
            agree &= right[w];
        }
        fflush(stdout);
        return agree;
    }
};

int main(int argc, char** argv) {
    book::Options o;
    o.n = 0, o.repeat = 21;
    int perSm = kExactPerSm;
    const book::Option n = book::integer("--n 個数", 1, 1LL << 28, &o.n);
    const book::Option grid = book::integer("--per-sm 個数", 1, 8, &perSm);
    return book::each(argc, argv, o, {n, grid, o.repeatOption(), o.hotOption()}, [&] {
        Device d(kColdBytes, o.hot);
        Speed speed{d, o, book::deviceName(), perSm};
        CHECK(cudaMemset(speed.words, 0, kWords * sizeof(Word)));
        if (!o.json)
            printf(
                "5.13 speed: 正確な総和の速さ\n\n装置        : %s\n"
                "時間は 1 回の合計。比は、5.9 の総和の時間 ÷ その時間\n\n",
                speed.device.c_str());
        bool agree = true;
        for (int kind = 0; kind < kKinds; kind++)
            for (const int log : {20, 24, 26, 28})
                if (!o.n || o.n == 1LL << log) agree &= speed.at(kind, size_t(1) << log);
        return agree ? book::kAgree : book::kDisagree;
    });
}
#endif
