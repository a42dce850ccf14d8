// 5.9 ライブラリと比べる: 5 つの型、12 の長さで比べる
// 同じ配列を、L2 が冷たい所から代わる代わる足す。どちらも CUDA グラフで再生するので、起動を頼む時間は入らない
// 必要: GPU
// 必要: sm_80
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

template <class In> bool compareAt(Device& d, const char* device, const Options& o, const char* type, size_t n) {
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
    report(o, {device, type, CUB_VERSION, n, sizeof(In), agree, own, best, book::median(ownWhole),
               book::median(thrustWhole)});
    return agree;
}

template <class In> bool compareType(Device& d, const char* device, const Options& o, const char* type) {
    if (!o.type.empty() && o.type != type) return true;
    fill<<<d.sms * 4, 512, 0, d.stream>>>(d.as<In>(d.data), d.dataBytes / sizeof(In));
    CHECK(cudaGetLastError());
    bool agree = true;
    for (size_t n = o.n ? o.n : 1 << 10; n <= (o.n ? size_t(o.n) : size_t(1) << 32); n *= 4) {
        if (n * sizeof(In) <= d.dataBytes) agree &= compareAt<In>(d, device, o, type, n);
        else fprintf(stderr, "%s の %zu 個は、デバイスの空いたメモリに入らないので飛ばす\n", type, n);
    }
    return agree;
}

int main(int argc, char** argv) {
    Options o;
    o.n = 0;
    o.repeat = 31;
    const std::vector<std::string> types = {"int", "int64", "float", "double", "half"};
    const book::Option n = book::integer("--n 個数", 1, 1LL << 32, &o.n);
    const book::Option type = {
        "--type 型", [&](const std::string& v) {
            if (std::find(types.begin(), types.end(), v) == types.end())
                book::badUsage("TYPE=" + v + " は知らない型: TYPE は int, int64, float, double, half のどれか");
            o.type = v;
        }};
    return book::each(argc, argv, o, {n, type, o.repeatOption(), o.hotOption()}, [&] {
        const std::string device = book::deviceName();
        Device d((o.n ? o.n : size_t(1) << 32) * 8 + kColdBytes, o.hot);
        reportHead(o, device);
        bool agree = compareType<int>(d, device.c_str(), o, "int");
        agree &= compareType<long long>(d, device.c_str(), o, "int64");
        agree &= compareType<float>(d, device.c_str(), o, "float");
        agree &= compareType<double>(d, device.c_str(), o, "double");
        agree &= compareType<__half>(d, device.c_str(), o, "half");
        return agree ? book::kAgree : book::kDisagree;
    });
}
#endif
