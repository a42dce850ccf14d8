// 実験の時計: 変種の sum() や process() を代わる代わる呼び、同じ時計で測る。GPU でだけ動く。
// 変種の book::timer… は、ここの measured::timer… に置き換わる。入力も結果も装置に置くので、転送を待たない
#pragma once
#include <cuda_fp16.h>

#include <chrono>
#include <functional>
#include <thread>

#include "timer.cpp"  // 本の時計。既定のストリームを替えて作ることもあるので、つながずに、ここで読む

void book::check(cudaError_t e, const char* call, const char* file, int line) {
    if (e == cudaSuccess) return;
    fprintf(stderr, "%s:%d: %s が失敗した: %s\n", file, line, call, cudaGetErrorString(e));
    exit(3);
}
double book::tree(double n) { return n; }  // 許容誤差のための深さ。ここでは使わない
double book::serial(double n) { return n; }

namespace measured {

using book::Array;

// ---------------------------------------------------------------- 時計
// read         本の時計: L2 の 4 倍を読んで冷ましてから、イベントの間で頼む
// write        L2 の 2 倍を書いて冷ます
// soon         read と同じ。ただし、長い入力を写した後も、休まずに測る
// hot          冷まさない
// queued       read と同じ。ただし、全部を頼み終わるまで GPU を待たせておく。CPU が頼む時間が入らない
// graph        read で冷まし、頼みごとを CUDA グラフにして、1 回再生する
// graph-queued 両方
// 長い入力を GPU の中で写した直後は、同じカーネルが長くかかる (実験 rest)。本の測定は入力をホストから送るので、
// それに合わせて、測る前に休む
constexpr long long kLong = 1 << 25;                 // これより長い入力の後だけ、休む
constexpr std::chrono::milliseconds kRest{5};        // 3 ms でも 100 ms でも、測った時間は同じだった

struct Stopwatch {
    std::string clock = "read";
    bool is(const char* part) const { return clock.find(part) != std::string::npos; }
    bool longInput = false;
    bool off = false;  // ncu で数えるときは、余計なカーネルを動かさない
    double kept = 0;   // 合計の中に残っている要素の数 (合計 ÷ 要素の平均)
};
inline Stopwatch watch;

inline void begin() {
    if (watch.longInput && !watch.is("soon")) {
        CHECK(cudaDeviceSynchronize());
        std::this_thread::sleep_for(kRest);
    }
    // 準備の 1 回目 (read) が、L2 の 4 倍の場所を取っている
    if (watch.is("write")) CHECK(cudaMemset(book::other.data, 0, book::other.bytes / 2));
    book::watch.hot = watch.is("write") || watch.is("hot"), book::watch.queued = watch.is("queued");
    book::timerStart();
}
inline void timerStart() {
    if (watch.off) return;
    if (watch.is("graph")) CHECK(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed));
    else begin();
}
inline void timerStop() {
    if (watch.off) return;
    if (!watch.is("graph")) return book::timerStop();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphUpload(exec, cudaStreamPerThread));
    begin();
    CHECK(cudaGraphLaunch(exec, cudaStreamPerThread));
    book::timerStop();
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

// ---------------------------------------------------------------- 入力
// exact は、どの順に足しても正確な小さな整数。1 回目はこれを足し、合計が 1 つも違わないことを確かめる。
// 時間を測るのは、本と同じ 0 以上 1 未満の数 (整数の型では 0 から 6)
template <class In> __host__ __device__ uint64_t raw(uint64_t i, uint64_t n, bool exact) {
    uint64_t h = (i + 1) * 0x9E3779B97F4A7C15u;
    h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9u;
    h ^= h >> 27;
    if (exact) return n <= 1 << 23 ? (h >> 32) % ((1 << 24) / n < 255 ? (1 << 24) / n + 1 : 256) : (h >> 32) % (n >> 22) == 0;
    return std::is_integral_v<In> ? (h >> 32) % 7 : sizeof(In) == 2 ? h >> 53 : h >> 40;
}
template <class In> __host__ __device__ constexpr double scale(bool exact) {
    return exact || std::is_integral_v<In> ? 1 : sizeof(In) == 2 ? 0x1p-11 : 0x1p-24;
}
template <class In> __global__ void fill(In* out, uint64_t n, bool exact, bool sorted, unsigned long long* total) {
    unsigned long long v = 0;
    for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < n; i += uint64_t(gridDim.x) * blockDim.x) {
        const uint64_t r = raw<In>(i, n, exact);
        v += r;
        out[i] = sorted ? In(float(double(i) / double(n))) : In(float(double(r) * scale<In>(exact)));
    }
    atomicAdd(total, v);
}
struct Case { long long n; int iterations; float threshold; bool sorted; };
inline Case now;

template <class In> struct Input {
    In* data;
    double total;
    explicit Input(bool exact) {
        Array<unsigned long long> total_dev(1);
        CHECK(cudaMemset(total_dev, 0, 8));
        CHECK(cudaMalloc(&data, now.n * sizeof(In)));  // 終わるまで使う
        fill<In><<<1024, 512>>>(data, now.n, exact, now.sorted, total_dev);
        CHECK(cudaGetLastError());
        total = double(total_dev.first()) * scale<In>(exact);
    }
};
template <class In> const Input<In>& input(bool exact) {  // どの変種も、同じ入力を使う
    static const Input<In>* made[2];
    if (!made[exact]) made[exact] = new Input<In>(exact);
    return *made[exact];
}

__global__ void countDifferent(const unsigned* a, const unsigned* b, long long n, unsigned* count) {
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        if (a[i] != b[i]) atomicAdd(count, 1);
}

// ---------------------------------------------------------------- 変種
struct Variant {
    const char* name;
    std::function<bool(bool exact)> call;  // 合ったか

    // 総和: 1 回目は 1 つも違わず、その後は、順に足したときの誤差まで許す
    template <class Out, class In, class Index> Variant(const char* name, Out (*sum)(const In*, Index)) : name(name) {
        call = [sum](bool exact) {
            const Input<In>& x = input<In>(exact);
            const double result = double(sum(x.data, Index(now.n)));
            watch.kept = result / (x.total / double(now.n));
            const double allowed = exact || std::is_integral_v<In> ? 0 : 4 * std::sqrt(double(now.n)) * 0x1p-24 * x.total;
            return std::fabs(result - x.total) <= allowed;
        };
    }
    // 5.5: どの要素も、初めの結果と同じ
    Variant(const char* name, void (*process)(const float*, float*, int, float, int)) : name(name) {
        call = [process](bool) {
            static const auto first = new Array<float>(now.n);
            static bool made = false;
            Array<float> out(now.n);
            process(input<float>(false).data, out, int(now.n), now.threshold, now.iterations);
            if (!made) CHECK(cudaMemcpy(*first, out, now.n * sizeof(float), cudaMemcpyDefault));
            made = true;
            Array<unsigned> count(1);
            CHECK(cudaMemset(count, 0, 4));
            countDifferent<<<1024, 512>>>((unsigned*)out.data, (unsigned*)first->data, now.n, count);
            CHECK(cudaGetLastError());
            return count.first() == 0;
        };
    }
};

// ---------------------------------------------------------------- 実行
__global__ void mark() {}  // ncu の記録の中で、変種の切れ目になる

// 引数は、長さ、反復、閾値、並べるか、時計、周の数、1 周の回数。変種を代わる代わる測り、変種ごとに 1 行の JSON を書く。
// 周の数が 0 なら、時計を使わずに、変種ごとに 1 度だけ呼ぶ
inline int run(char** argv, const std::vector<Variant>& variants) {
    now = {atoll(argv[1]), atoi(argv[2]), float(atof(argv[3])), *argv[4] == '1'};
    const int rounds = atoi(argv[6]), repeat = atoi(argv[7]);
    const size_t count = variants.size();
    watch.longInput = now.n > kLong, watch.off = rounds == 0;
    std::vector<char> agree(count);
    std::vector<double> first(count);
    std::vector<std::string> all(count);
    for (size_t k = 0; k < count; k++) {  // 1 回目は、コードを読み込む時間などを含む
        mark<<<unsigned(k + 1), 1>>>();
        agree[k] = variants[k].call(true);
        first[k] = book::watch.ms * 1e3;
    }
    CHECK(cudaDeviceSynchronize());
    watch.clock = argv[5];
    for (int round = 0; round < rounds; round++)
        for (size_t j = 0; j < count; j++) {
            const size_t k = round % 2 ? count - 1 - j : j;  // 1 周ごとに、順番を逆にする
            for (int r = 0; r < repeat; r++) {
                agree[k] &= variants[k].call(false);
                if (book::watch.ms < 0) return fprintf(stderr, "頼み終える前に動き出した\n"), 3;
                all[k] += (all[k].empty() ? "" : ", ") + std::to_string(book::watch.ms * 1e3);
            }
            if (round == rounds - 1)
                printf("{\"variant\": \"%s\", \"agree\": %s, \"us_first\": %.6g, \"kept\": %.4g, \"us\": [%s]}\n",
                       variants[k].name, agree[k] ? "true" : "false", first[k], watch.kept, all[k].c_str());
        }
    return 0;
}

}  // namespace measured
