// 5.9 ライブラリと比べる: 5 つの型、12 の長さで比べる
// 同じ配列を、L2 が冷たい所から代わる代わる足す。どちらも CUDA グラフで再生するので、起動を頼む時間は入らない
// 必要: GPU
// 測定: なし
#include "book.cuh"

#ifdef CPU_DEVICE
int main() { return book::gpuOnly("CUB と Thrust"); }
#else
#include "compare.cuh"

#include <cub/device/device_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

using namespace compare;

constexpr int kWholeCalls = 11;  // 答えがホストに届くまでの時間を測る回数

struct ToFloat {
    template <class T> __host__ __device__ float operator()(T v) const { return float(v); }
};
// half を float で足す呼び方は 2 つある。どちらが速いかは長さによるので、両方を測る
template <class In> void sumCub(Device& d, const In* in, size_t n, reduce::Wide<In>* out, bool convert) {
    auto call = [&](auto count) {
        size_t bytes = kTempBytes;
        [[maybe_unused]] thrust::plus<float> add;
        if constexpr (std::is_same_v<In, reduce::Wide<In>>)
            CHECK(cub::DeviceReduce::Sum(d.temp, bytes, in, out, count, d.stream));
        else if (convert)
            CHECK(cub::DeviceReduce::TransformReduce(d.temp, bytes, in, out, count, add, ToFloat(), 0.0f, d.stream));
        else CHECK(cub::DeviceReduce::Reduce(d.temp, bytes, in, out, count, add, 0.0f, d.stream));
    };
    if (n <= UINT32_MAX) call(uint32_t(n));  // CUB は、個数が 32 ビットの方が速い
    else call(uint64_t(n));
}

// 呼んでから、答えがホストに届くまで [µs]。Thrust は答えを返す関数なので、こちらでしか比べられない
template <class Call> double wholeUs(Device& d, Call call) {
    d.coolDown();
    CHECK(cudaStreamSynchronize(d.stream));
    const double before = book::nowMs();
    call();
    return (book::nowMs() - before) * 1e3;
}

template <class In> bool compareAt(Device& d, const book::Options& o, const char* type, size_t n) {
    const Plan p(d, n, sizeof(In));
    const In* data = d.as<const In>(d.data);
    reduce::Wide<In>*outs = d.as<reduce::Wide<In>>(d.outs), ours, thrusts;
    const auto exact = exactSums<In>(d, p);

    // --8<-- [start:measure]
    Side own(d, p.calls, [&](int c) { d.work.sum(data + p.first(c), n, outs + c, d.stream); });
    Side cub(d, p.calls, [&](int c) { sumCub(d, data + p.first(c), n, outs + c, false); });
    Side cub2(d, p.calls, [&](int c) { sumCub(d, data + p.first(c), n, outs + c, true); });
    std::vector<Side*> sides = {&own, &cub};
    if (sizeof(In) == 2) sides.push_back(&cub2);
    takeTurns(sides, o.repeat, [&](const Side&, int) { return allAgree<In>(d, p, exact); });
    // --8<-- [end:measure]

    std::vector<double> ownWhole, thrustWhole;
    bool agree = own.agree && cub.agree && cub2.agree;
    for (int k = 0; k <= kWholeCalls; k++) {
        ownWhole.push_back(wholeUs(d, [&] {
            d.work.sum(data, n, outs, d.stream);
            CHECK(cudaMemcpyAsync(&ours, outs, sizeof ours, cudaMemcpyDeviceToHost, d.stream));
            CHECK(cudaStreamSynchronize(d.stream));
        }));
        thrustWhole.push_back(wholeUs(d, [&] {
            thrusts = thrust::reduce(thrust::cuda::par.on(d.stream), data, data + n, reduce::Wide<In>(0),
                                     thrust::plus<reduce::Wide<In>>());
        }));
        agree &= agrees<In>(ours, exact[0], n) && agrees<In>(thrusts, exact[0], n);
        if (k == 0) ownWhole.clear(), thrustWhole.clear();
    }

    const Side& best = !cub2.us.empty() && cub2.median() < cub.median() ? cub2 : cub;
    const double bytes = double(n) * sizeof(In), us = own.median(), whole = book::median(ownWhole);
    const double thrustUs = book::median(thrustWhole);
    if (o.json)
        printf(
            "{\"listing\": \"5.9 compare\", \"device\": \"%s\", \"cub\": \"%s\", \"type\": \"%s\", \"n\": %zu, "
            "\"bytes\": %.0f, \"hot\": %s, \"agree\": %s, %s, %s, \"whole_us\": %.6g, \"thrust_whole_us\": %.6g, "
            "\"calls\": %d, \"repeat\": %d, \"peak_gbs\": %.6g}\n",
            book::deviceName().c_str(), versionName(CUB_VERSION).c_str(), type, n, bytes, o.hot ? "true" : "false",
            agree ? "true" : "false", json(own.us).c_str(), json(best.us, "cub_").c_str(), whole, thrustUs, p.calls,
            o.repeat, book::peakGBs());
    else
        printf("%-6s %11zu %11.2f %11.2f %7.3f %8.1f %11.1f %11.1f  %s\n", type, n, us, best.median(),
               best.median() / us, bytes / us / 1e3, whole, thrustUs, agree ? "一致" : "不一致 ❌");
    fflush(stdout);
    return agree;
}

// 1 つの型の、全部の長さ。N を指定すれば、その長さだけ
template <class In> bool compareType(Device& d, const book::Options& o, const char* type) {
    fill<<<d.sms * 4, 512, 0, d.stream>>>(d.as<In>(d.data), d.dataBytes / sizeof(In));
    CHECK(cudaGetLastError());
    bool agree = true;
    for (size_t n = o.n ? o.n : 1 << 10; n <= (o.n ? size_t(o.n) : size_t(1) << 32); n *= 4) {
        if (n * sizeof(In) <= d.dataBytes) agree &= compareAt<In>(d, o, type, n);
        else fprintf(stderr, "%s の %zu 個は、デバイスの空いたメモリに入らないので飛ばす\n", type, n);
    }
    return agree;
}

struct Type {
    const char* name;
    bool (*compare)(Device& d, const book::Options& o, const char* type);
};
const Type kTypes[] = {{"int", compareType<int>},
                       {"int64", compareType<long long>},
                       {"float", compareType<float>},
                       {"double", compareType<double>},
                       {"half", compareType<__half>}};

int main(int argc, char** argv) {
    book::Options o;
    o.n = 0, o.repeat = 31;
    const Type* chosen = nullptr;
    const std::vector<book::Option> options = {book::integer("--n 個数", 1, 1LL << 32, &o.n),
                                               book::oneOf("--type", "型", kTypes, &chosen), o.repeatOption(),
                                               o.hotOption()};
    return book::each(argc, argv, o, options, [&] {
        Device d((o.n ? o.n : size_t(1) << 32) * 8 + kColdBytes, o.hot);
        if (!o.json)
            printf(
                "5.9 compare: この本の総和と CUB と Thrust\n\n装置        : %s\n%s"
                "時間は µs。比は CUB の時間 ÷ この本の時間。右の 2 つは、呼んでから答えがホストに届くまで\n\n"
                "型          要素数      この本         CUB      比     GB/s      この本      Thrust\n",
                book::deviceName().c_str(), o.hot ? "入力が L2 に残ったまま測る\n" : "");
        bool agree = true;
        for (const Type& type : kTypes)
            if (!chosen || chosen == &type) agree &= type.compare(d, o, type.name);
        return agree ? book::kAgree : book::kDisagree;
    });
}
#endif
