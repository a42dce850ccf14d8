// 5.13 いつも同じ、正しい総和: 5.9 の総和、CUB と比べる
// 同じ場所を、L2 が冷たい所から代わる代わる足す。どれも CUDA グラフで再生する。CUB 3.5 の gpu_to_gpu も測る
// 必要: GPU
// 測定: なし
#include "book.cuh"

#ifdef CPU_DEVICE
int main() { return book::gpuOnly("CUB"); }
#else
#include "speed.cuh"

#include <deque>

using namespace compare;

struct Speed {
    Device& d;
    const book::Options& o;
    std::string device;
    book::Array<Word> words{reduce::Columns<double>::Sum::kWords};  // いちばん多い型

    // 1 つの型と入力と長さで、全部の足し方を測る
    template <class In> bool at(const char* type, int kind, size_t n) {
        using Out = reduce::Wide<In>;
        const Plan p(d, n, sizeof(In));
        In* data = d.as<In>(d.data);
        Out* outs = d.as<Out>(d.outs);
        fillKind<<<d.sms * 4, 512, 0, d.stream>>>(kind, data, p.count * p.stride / sizeof(In));
        CHECK(cudaGetLastError());
        const int grid = d.sms * reduce::Columns<In>::kPerSm;
        std::deque<Side> ways;
        std::vector<const char*> names;
        const auto add = [&](const char* name, auto call) {
            names.push_back(name);
            ways.emplace_back(d, p.calls, call);
        };
        const auto x = [&](int c) { return data + p.first(c); };
        add("plain", [&](int c) { d.work.sum(x(c), n, outs + c, d.stream); });
        add("columns", [&](int c) { CHECK(reduce::exactAsync(x(c), n, outs + c, words.data, grid, d.stream)); });
        const Side& columns = ways.back();
        // half と bfloat16 は、CUB の既定では、その型のまま足す。比べるのは、float か double を足すものだけである
        if constexpr (std::is_same_v<In, Out>) {
            add("cub", [&](int c) {
                size_t bytes = kTempBytes;
                CHECK(cub::DeviceReduce::Sum(d.temp, bytes, x(c), outs + c, uint32_t(n), d.stream));
            });
#if CUB_VERSION >= 300500
            add("cub gpu_to_gpu",
                [&](int c) { CHECK(cub::DeviceReduce::Sum(x(c), outs + c, uint32_t(n), reproducible(d))); });
#endif
        }
        // 正しいビット: グリッドを変えて足したもの。2^26 個までは、ホストの筆算とも比べる
        std::vector<Out> want(p.calls), got(p.calls);
        for (int c = 0; c < p.calls; c++) CHECK(reduce::exactAsync(x(c), n, outs + c, words.data, 37, d.stream));
        CHECK(cudaStreamSynchronize(d.stream));
        CHECK(cudaMemcpy(want.data(), outs, p.calls * sizeof(Out), cudaMemcpyDeviceToHost));
        bool agree = true;
        if (n <= size_t(1) << 26) {
            std::vector<In> host(n);
            CHECK(cudaMemcpy(host.data(), data, n * sizeof(In), cudaMemcpyDeviceToHost));
            const Out exact = exact::expected(std::vector<Out>(host.begin(), host.end()));
            agree &= memcmp(&exact, &want[0], sizeof exact) == 0;
        }
        // --8<-- [start:measure]
        const auto forget = [&] { CHECK(cudaMemset(outs, 0xff, p.calls * sizeof(Out))); };  // 前の結果を残さない
        std::vector<Side*> sides;
        for (Side& way : ways) sides.push_back(&way);
        forget();
        takeTurns(sides, o.repeat, [&](const Side& side, int) {
            CHECK(cudaMemcpy(got.data(), outs, p.calls * sizeof(Out), cudaMemcpyDeviceToHost));
            forget();
            const bool same = agree && memcmp(got.data(), want.data(), p.calls * sizeof(Out)) == 0;
            return same || &side != &columns;  // 丸めながら足したものは、同じにならない
        });
        // --8<-- [end:measure]
        for (size_t k = 0; k < ways.size(); k++) {
            const Side& way = ways[k];
            if (o.json)
                printf(
                    "{\"listing\": \"5.13 speed\", \"device\": \"%s\", \"cub\": \"%s\", \"type\": \"%s\", "
                    "\"input\": \"%s\", \"n\": %zu, \"bytes\": %zu, \"way\": \"%s\", \"agree\": %s, "
                    "%s, \"calls\": %d, \"repeat\": %d}\n",
                    device.c_str(), versionName(CUB_VERSION).c_str(), type, kNames[kind], n, n * sizeof(In), names[k],
                    way.agree ? "true" : "false", json(way.us).c_str(), p.calls, o.repeat);
            else
                printf("%-8s %-9s %10zu %-15s %10.2f µs  %5.3f %s\n", type, kNames[kind], n, names[k], way.median(),
                       ways[0].median() / way.median(),
                       &way != &columns ? ""
                       : way.agree      ? "一致"
                                        : "不一致 ❌");
            agree &= way.agree;
        }
        fflush(stdout);
        return agree;
    }
};

int main(int argc, char** argv) {
    book::Options o;
    o.n = 0, o.repeat = 21;
    struct Type {
        const char* name;
        bool (Speed::*at)(const char*, int, size_t);
        std::vector<int> kinds;
    };
    static const Type kTypes[] = {
        {"float", &Speed::at<float>, {uniform, normal, ordinary, wide, cancel, sorted, blocks}},
        {"double", &Speed::at<double>, {uniform, normal, ordinary, wide, cancel, sorted, blocks}},
        {"half", &Speed::at<__half>, {uniform, normal, ordinary}},  // 広い範囲は、half に入らない
        {"bfloat16", &Speed::at<__nv_bfloat16>, {uniform, normal, ordinary, wide}},
    };
    const Type* chosen = nullptr;
    const std::vector<book::Option> options = {book::integer("--n 個数", 1, 1LL << 28, &o.n),
                                               book::oneOf("--type", "型", kTypes, &chosen), o.repeatOption(),
                                               o.hotOption()};
    return book::each(argc, argv, o, options, [&] {
        Device d(kColdBytes, o.hot);
        Speed speed{d, o, book::deviceName()};
        CHECK(cudaMemset(speed.words, 0, reduce::Columns<double>::Sum::kWords * sizeof(Word)));
        if (!o.json)
            printf(
                "5.13 speed: 正確な総和の速さ\n\n装置        : %s\n"
                "時間は 1 回の合計。比は、5.9 の総和の時間 ÷ その時間\n\n",
                speed.device.c_str());
        bool agree = true;
        for (const Type& type : kTypes)
            for (const int kind : type.kinds)
                for (const int log : {20, 24, 26, 28})
                    if ((!chosen || chosen == &type) && (!o.n || o.n == 1LL << log))
                        agree &= (speed.*type.at)(type.name, kind, size_t(1) << log);
        return agree ? book::kAgree : book::kDisagree;
    });
}
#endif
