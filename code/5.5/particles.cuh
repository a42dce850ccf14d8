// 5.5 の道具。ホスト側だけ: 粒子の入力、CPU の結果、要素ごとの比較、時間、報告。
#pragma once
#ifndef BLOCK
#define BLOCK 512  // この節の既定のブロックの大きさ
#endif
#include "book.cuh"

#include <thread>

namespace particles {

// 1 回の反復で粒子を動かす歩数と、1 歩の時間。kStep は 2 のべき乗なので、掛けても丸めは起きない。
// だから、掛け算と足し算を 1 命令 (FMA) にまとめてもまとめなくても、結果は最後のビットまで同じになる。
constexpr int kSteps = 16;
constexpr float kStep = 0.0625f;

constexpr long long kMaxN = 1LL << 30;  // 端数のブロックでも、添字が int に収まる

struct Options {
    long long n = book::kCpuDevice ? 1 << 20 : 1 << 24;
    int iterations = book::kCpuDevice ? 10 : 1000;
    float threshold = 0.7f;
    int repeat = book::kCpuDevice ? 1 : 100;
    bool json = false;
    uint32_t seed = book::kSeed;
    std::string result;  // make check の合い言葉。あれば、比べずに指紋と個数だけを書く
};

// in (エネルギー) の n 個を調べ、threshold 以上の粒子を動かした位置を out に書く。それ以外の out は 0
using Process = void (*)(const float* in, float* out, int n, float threshold, int iterations);

inline Options parse(int argc, char** argv) {
    Options o;
    for (int k = 1; k < argc; k++) {
        const std::string a = argv[k];
        auto value = [&]() -> const char* {
            if (k + 1 >= argc) book::badUsage(a + " の値がない");
            return argv[++k];
        };
        if (a == "--n") o.n = book::parseInteger("N", value(), 0, kMaxN);
        else if (a == "--iterations") o.iterations = int(book::parseInteger("ITERATIONS", value(), 0, 1000000));
        else if (a == "--repeat") o.repeat = int(book::parseInteger("REPEAT", value(), 1, 10000));
        else if (a == "--json") o.json = true;
        else if (a == "--seed") o.seed = uint32_t(book::parseInteger("SEED", value(), 0, UINT32_MAX));
        else if (a == "--result") o.result = value();
        else if (a == "--threshold") {
            const std::string v = value();
            char* end = nullptr;
            o.threshold = strtof(v.c_str(), &end);
            if (v.empty() || *end || !(o.threshold >= 0 && o.threshold <= 1))
                book::badUsage("THRESHOLD=" + v + " は使えない: THRESHOLD は 0 以上 1 以下の数 (例: THRESHOLD=0.7)");
        } else if (a == "--input") {
            if (strcmp(value(), "uniform") != 0)
                book::badUsage("この節の INPUT は uniform だけ: エネルギーは 0 以上 1 未満の数");
        } else
            book::badUsage(
                a +
                " は知らない指定: 使えるのは --n 個数, --iterations 回数, --threshold 値, --repeat 回数, --seed 種, --json");
    }
    return o;
}

// CPU の結果。lanes 個ずつ並べて進めると、コンパイラがベクトル命令にする。
inline void moveAll(const float* in, float* out, long long from, long long to, float threshold, int iterations) {
    constexpr int lanes = 64;
    std::vector<long long> todo;
    auto flush = [&]() {
        float x[lanes] = {}, v[lanes] = {};
        for (size_t j = 0; j < todo.size(); j++) x[j] = in[todo[j]];
        for (long long k = 0; k < (long long)iterations * kSteps; k++)
            for (int j = 0; j < lanes; j++) {
                v[j] -= x[j] * kStep;
                x[j] += v[j] * kStep;
            }
        for (size_t j = 0; j < todo.size(); j++) out[todo[j]] = x[j];
        todo.clear();
    };
    for (long long i = from; i < to; i++) {
        if (in[i] < threshold) out[i] = 0;
        else todo.push_back(i);
        if (todo.size() == lanes) flush();
    }
    flush();
}

inline std::vector<float> reference(const std::vector<float>& in, float threshold, int iterations) {
    std::vector<float> out(in.size());
    const long long n = in.size(), workers = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> threads;
    for (long long t = 0; t < workers; t++)
        threads.emplace_back(moveAll, in.data(), out.data(), n * t / workers, n * (t + 1) / workers, threshold,
                             iterations);
    for (auto& t : threads) t.join();
    return out;
}

inline double checksum(const std::vector<float>& v) {
    double s = 0;
    for (const float e : v) s += e;
    return s;
}

// 全部の要素のビットを番号の順に混ぜた 64 ビット (FNV-1a) と、0 でない数、数でない値 (NaN) の個数
struct Fingerprint {
    uint64_t hash;
    long long moved, unwritten;
};
inline Fingerprint fingerprint(const std::vector<float>& v) {
    Fingerprint f{0xcbf29ce484222325u, 0, 0};
    for (const float e : v) {
        uint32_t bits;
        memcpy(&bits, &e, sizeof bits);
        for (int k = 0; k < 32; k += 8) f.hash = (f.hash ^ (bits >> k & 255)) * 0x100000001b3u;
        f.moved += e != 0 && !std::isnan(e);
        f.unwritten += std::isnan(e);
    }
    return f;
}

// リストの main。process (Process の形) はホストの配列 in を GPU で処理して out に書く。要素を 1 つずつ CPU の結果と比べる。
template <class F> int run(int argc, char** argv, const char* file, F process, int block = BLOCK) {
    const Options o = parse(argc, argv);
    const std::string device = book::deviceName();
    std::vector<float> in, cpu, gpu, worst;
    double cpuMs = 0;
    try {
        in = book::makeInput<float>(o.n, book::Input::uniform, o.seed);
        gpu.resize(o.n, std::nanf(""));
        if (!o.result.empty()) {
            process(in.data(), gpu.data(), int(o.n), o.threshold, o.iterations);
            if (book::timer().flush) CHECK(cudaFree(book::timer().flush));
            const Fingerprint f = fingerprint(gpu);
            printf("\n%s %016llx %lld %lld\n", o.result.c_str(), (unsigned long long)f.hash, f.moved, f.unwritten);
            return book::kAgree;
        }
        const double before = book::nowMs();
        cpu = reference(in, o.threshold, o.iterations);
        cpuMs = book::nowMs() - before;
    } catch (const std::bad_alloc&) {
        book::badUsage("N=" + std::to_string(o.n) + " の粒子を置くメモリが足りない: N を小さくする");
    }
    const long long active = std::count_if(in.begin(), in.end(), [&](float e) { return !(e < o.threshold); });

    // 1 回目は準備を含むので、時間には数えない。結果は毎回、全部の要素を比べる。
    long long wrong = -1, first = -1;
    std::vector<double> kernel, transfer;
    for (int k = book::kCpuDevice ? 1 : 0; k <= o.repeat; k++) {
        std::fill(gpu.begin(), gpu.end(), std::nanf(""));  // 前の回の結果を残さない
        book::timer().kernelMs = book::timer().outsideMs = 0;
        const double before = book::nowMs();
        process(in.data(), gpu.data(), int(o.n), o.threshold, o.iterations);
        const double whole = book::nowMs() - before;
        if (k > 0) {
            kernel.push_back(book::timer().kernelMs);
            transfer.push_back(whole - book::timer().kernelMs - book::timer().outsideMs);
        }
        long long bad = 0, at = -1;
        for (long long i = 0; i < o.n; i++)
            if (!(gpu[i] == cpu[i]) && bad++ == 0) at = i;
        if (bad > wrong) wrong = bad, first = at, worst = gpu;  // いちばん悪い結果を報告する
    }
    if (book::timer().flush) CHECK(cudaFree(book::timer().flush));
    const bool agree = wrong == 0;
    const double kernelMs = book::median(kernel), transferMs = book::median(transfer);
    const double cpuSum = checksum(cpu), gpuSum = checksum(worst), share = o.n ? 100.0 * active / o.n : 0;

    if (o.json) {
        const char* quote = std::isfinite(gpuSum) ? "" : "\"";
        printf(
            "{\"listing\": \"%s\", \"device\": \"%s\", \"cpu_device\": %s, \"type\": \"float\", \"input\": \"uniform\", \"n\": %lld, "
            "\"block\": %d, \"threshold\": %.9g, \"iterations\": %d, \"active\": %lld, \"cpu\": %.17g, \"gpu\": %s%.17g%s, "
            "\"wrong\": %lld, \"first_wrong\": %lld, \"agree\": %s, \"repeat\": %d, \"cpu_ms\": %.6g, \"kernel_ms\": %.6g, "
            "\"kernel_ms_min\": %.6g, \"kernel_ms_max\": %.6g, \"transfer_ms\": %.6g, \"peak_gbs\": %.6g, \"device_mib\": %.1f}\n",
            book::title(file).c_str(), device.c_str(), book::kCpuDevice ? "true" : "false", o.n, block, o.threshold,
            o.iterations, active, cpuSum, quote, gpuSum, quote, wrong, first, agree ? "true" : "false", o.repeat, cpuMs,
            kernelMs, *std::min_element(kernel.begin(), kernel.end()), *std::max_element(kernel.begin(), kernel.end()),
            transferMs, book::peakGBs(), book::timer().deviceMiB);
        return agree ? book::kAgree : book::kDisagree;
    }
    printf("%s: CPU の結果と%s\n\n", book::title(file).c_str(), agree ? "一致 ✅" : "不一致 ❌");
    printf("装置        : %s\n", device.c_str());
    printf("粒子の数    : %lld\n", o.n);
    printf("ブロック    : %d\n", block);
    printf("しきい値    : %g\n", o.threshold);
    printf("反復        : %d\n", o.iterations);
    printf("動かす粒子  : %lld (%.1f %%)\n", active, share);
    printf("CPU の合計  : %.9g\n", cpuSum);  // 結果を全部足した値。判定には使わない
    printf("GPU の合計  : %.9g\n", gpuSum);
    if (agree) printf("違う要素    : 0\n\n");
    else
        printf("違う要素    : %lld (最初は out[%lld]: CPU %.9g, GPU %.9g)\n\n", wrong, first, cpu[first], worst[first]);
    printf("時間:\n  CPU : %s ms  (%u スレッド)\n", book::showMs(cpuMs).c_str(),
           std::max(1u, std::thread::hardware_concurrency()));
    printf("  GPU : %s ms  (%s)\n", book::showMs(kernelMs).c_str(),
           book::kCpuDevice ? "CPU デバイスの時間。GPU の速さではない"
                            : (std::to_string(o.repeat) + " 回の中央値").c_str());
    printf("  転送: %s ms  (確保と解放を含む)\n", book::showMs(transferMs).c_str());
    return agree ? book::kAgree : book::kDisagree;
}

#ifdef CPU_DEVICE  // 中身は code/cpu/particles.cpp が 1 度だけコンパイルする
extern template int run(int, char**, const char*, Process, int);
#endif

}  // namespace particles
