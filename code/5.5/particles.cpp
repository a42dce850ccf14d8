// 5.5 のリストを動かす: 粒子の入力、CPU の結果、要素ごとの比較、報告。
#include "particles.cuh"

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <thread>

#include "harness.h"

namespace particles {

static unsigned workers() { return std::max(1u, std::thread::hardware_concurrency()); }

// a * kStep + b。CPU に FMA があれば 1 命令にする。結果は同じである (particles.cuh)
static float step(float a, float b) {
#ifdef FP_FAST_FMAF
    return std::fma(a, kStep, b);
#else
    return a * kStep + b;
#endif
}

// CPU の結果。lanes 個ずつ並べて進めると、コンパイラがベクトル命令にする。
static void moveAll(const float* in, float* out, long long from, long long to, float threshold, int iterations) {
    constexpr int lanes = 64;
    std::vector<long long> todo;
    auto flush = [&]() {
        float x[lanes] = {}, v[lanes] = {};
        for (size_t j = 0; j < todo.size(); j++) x[j] = in[todo[j]];
        for (long long k = 0; k < (long long)iterations * kSteps; k++)
            for (int j = 0; j < lanes; j++) {
                v[j] = step(-x[j], v[j]);
                x[j] = step(v[j], x[j]);
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

static double checksum(const std::vector<float>& v) { return std::accumulate(v.begin(), v.end(), 0.0); }

struct ParticleTrial : book::ElementTrial<float> {
    Process process;
    int block, iterations = book::kCpuDevice ? 10 : 1000;
    float threshold = 0.7f;
    std::vector<float> in;
    bool tenths = false;  // 0, 0.1, … 0.9 と、その両隣だけの入力。しきい値と等しいものが、たくさんある

    ParticleTrial(Process process, int block)
        : ElementTrial("particles", "float", "\"uniform\"", "粒子", "結果",
                       1LL << 30),  // 端数のブロックでも、添字が int に収まる
          process(process),
          block(block) {}

    std::vector<book::Option> options(book::Options& o) override {
        o.n = book::kCpuDevice ? 1 << 20 : 1 << 24;
        return {book::integer("--iterations 回数", 0, 1000000, &iterations),
                {"--threshold 値",
                 [this](const std::string& v) {
                     char* end = nullptr;
                     threshold = strtof(v.c_str(), &end);
                     if (v.empty() || *end || !(threshold >= 0 && threshold <= 1))
                         book::badUsage("THRESHOLD=" + v +
                                        " は使えない: THRESHOLD は 0 以上 1 以下の数 (例: THRESHOLD=0.7)");
                 }},
                {"--tenths", [this](const std::string&) { tenths = true; }, true}};
    }
    std::vector<std::string> cases() override {
        std::vector<std::string> lines;
        for (const int n : book::kCheckSizes)
            for (const char* threshold : {"0.7", "0", "1"})
                lines.push_back(book::format("--n %d --threshold %s\t--iterations %zu --repeat 2%s", n, threshold,
                                             lines.size() % 4 < 3 ? lines.size() % 4 : 11,  // 決まった値の 10 も越える
                                             strcmp(threshold, "0.7") ? "" : " --tenths"));
        lines.insert(lines.end() - 1, book::format("--n %d --threshold 0.7\t--iterations 1", book::kManyBlocks));
        return lines;
    }

    void prepare() override {
        in = book::makeInput<float>(o->n, book::Input::uniform, o->seed);
        if (tenths)
            for (float& e : in) {
                const float tenth = std::floor(e * 10) / 10, rest = e - tenth;
                e = std::nextafter(tenth, rest < 0.02f ? 0 : rest < 0.04f ? 1 : tenth);
            }
        empty(o->n);
    }
    void expect() override {
        cpu.resize(o->n);
        std::vector<std::thread> threads;
        const long long n = o->n, count = workers();
        const auto part = [&](long long t) {
            moveAll(in.data(), cpu.data(), n * t / count, n * (t + 1) / count, threshold, iterations);
        };
        for (long long t = 1; t < count; t++) threads.emplace_back(part, t);
        part(0);  // 残りの 1 つは、このスレッドで
        for (auto& t : threads) t.join();
    }
    void call() override { process(in.data(), out.data(), int(o->n), threshold, iterations); }
    long long active() const {
        return std::count_if(in.begin(), in.end(), [&](float e) { return !(e < threshold); });
    }

    std::string json() override {
        return book::format(
            "\"input\": \"uniform\", \"block\": %d, \"threshold\": %.9g, \"iterations\": %d, \"active\": %lld, "
            "\"cpu\": %.17g, \"gpu\": %s, %s",
            block, threshold, iterations, active(), checksum(cpu), book::json(checksum(wrongest)).c_str(),
            wrongJson().c_str());
    }
    std::string report() override {
        return book::format(  // 合計は、結果を全部足した値。判定には使わない
            "粒子の数    : %lld\nブロック    : %d\nしきい値    : %g\n反復        : %d\n動かす粒子  : %lld (%.1f %%)\n"
            "CPU の合計  : %.9g\nGPU の合計  : %.9g\n違う要素    : %s\n",
            o->n, block, threshold, iterations, active(), o->n ? 100.0 * active() / o->n : 0, checksum(cpu),
            checksum(wrongest), differences().c_str());
    }
    std::string cpuNote() override { return book::format("  (%u スレッド)", workers()); }
    std::string gpuNote(double) override { return book::format("%d 回の中央値", o->repeat); }

    std::string text(const book::Fingerprint& f) const override {
        return book::format("0 でない数が %lld 個、全要素の指紋 %016llx", f.moved, f.hash);
    }
    std::string hint(const book::Fingerprint& got) const override {
        const long long more = got.moved - book::Fingerprint(cpu).moved;
        if (got.unwritten)
            return std::to_string(got.unwritten) +
                   " 個が数でない値 (NaN) である: "
                   "out に何も書いていない粒子か、誰も書いていない場所から読んだ値がある";
        if (more < 0)
            return "0 でない数が " + std::to_string(-more) +
                   " 個足りない: 詰められていないか、同じ場所に重ねて詰めた粒子がある";
        if (more > 0)
            return "0 でない数が " + std::to_string(more) +
                   " 個多い: 動かさない粒子の out に 0 を書いていないか、しきい値より小さい粒子も動かしている";
        return "0 でない数の個数は合うが、値か場所が違う: 元の番号を詰め、元の場所に書いているか";
    }
};

int run(int argc, char** argv, const char* file, Process process, int block) {
    return book::runTrials(argc, argv, file, {std::make_shared<ParticleTrial>(process, block)});
}

}  // namespace particles
