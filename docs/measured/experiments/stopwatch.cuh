// 実験の時計: 変種の sum() や process() を代わる代わる呼び、同じ時計で測る。GPU でだけ動く。
// 変種の中の book:: は、ここの measured:: に置き換わる。入力も結果も装置に置くので、転送を待たない
#pragma once
#include <cuda_fp16.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <sstream>
#include <thread>
#include <typeindex>

#include "book.cuh"

void book::check(cudaError_t e, const char* call, const char* file, int line) {
    if (e == cudaSuccess) return;
    fprintf(stderr, "%s:%d: %s が失敗した: %s\n", file, line, call, cudaGetErrorString(e));
    exit(3);
}

namespace measured {

using book::Array;
inline double tree(double n) { return n; }  // 許容誤差のための深さ。ここでは使わない
inline double serial(double n) { return n; }

// ---------------------------------------------------------------- 時計
// write        L2 の 2 倍を書いて冷ましてから、イベントの間で頼む
// read         L2 の 4 倍を読んで冷ましてから、イベントの間で頼む
// soon         read と同じ。ただし、長い入力を写した後も、休まずに測る
// hot          冷まさない
// queued       read と同じ。ただし、全部を頼み終わるまで GPU を待たせておく。CPU が頼む時間が入らない
// graph        read で冷まし、頼みごとを CUDA グラフにして、1 回再生する
// graph-queued 両方
// 長い入力を GPU の中で写した直後は、同じカーネルが長くかかる (実験 rest)。本の測定は入力をホストから送るので、
// それに合わせて、測る前に休む
struct Clock { std::string name; bool write, read, wait, graph, rest = true; };
const Clock kClocks[] = {{"write", true, false, false, false}, {"read", false, true, false, false},
                         {"hot", false, false, false, false},  {"queued", false, true, true, false},
                         {"graph", false, true, false, true},  {"graph-queued", false, true, true, true},
                         {"soon", false, true, false, false, false}};
constexpr long long kLong = 1 << 25;                 // これより長い入力の後だけ、休む
constexpr std::chrono::milliseconds kRest{5};        // 3 ms でも 100 ms でも、測った時間は同じだった
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
constexpr bool kCapturable = true;  // 既定のストリームが記録できるのは、スレッドごとのストリームのときだけ
#else
constexpr bool kCapturable = false;
#endif

struct Stopwatch {
    Clock clock = kClocks[1];
    bool longInput = false;
    bool off = false;  // ncu で数えるときは、余計なカーネルを動かさない
    double us = 0, kept = 0;  // 測った時間、合計の中に残っている要素の数 (合計 ÷ 要素の平均)
    cudaEvent_t start, stop;
    char* flush;
    size_t l2;
    int *go, *go_dev;  // 待たせている GPU への合図
};
inline Stopwatch watch;

__global__ void touch(const uint4* in, size_t n, unsigned* out) {
    unsigned v = 0;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) v += in[i].x;
    if (v == 1) *out = v;  // 起きない。読んだものを使わないと、読み出しごと消される
}
__global__ void waitForHost(volatile int* go) {
    const long long begin = clock64();
    while (*go == 0 && clock64() - begin < 40'000'000) {}  // 合図が来なくても、20 ms ほどで進む
}

inline void cool() {
    if (watch.longInput && watch.clock.rest) {
        CHECK(cudaDeviceSynchronize());
        std::this_thread::sleep_for(kRest);
    }
    if (watch.clock.write) CHECK(cudaMemset(watch.flush, 0, 2 * watch.l2));
    if (watch.clock.read) {
        touch<<<1024, 512>>>(reinterpret_cast<const uint4*>(watch.flush), 4 * watch.l2 / sizeof(uint4), reinterpret_cast<unsigned*>(watch.flush));
        CHECK(cudaGetLastError());
    }
    CHECK(cudaDeviceSynchronize());
}
inline void begin() {
    cool();
    if (watch.clock.wait) {
        *watch.go = 0;
        waitForHost<<<1, 1>>>(watch.go_dev);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaEventRecord(watch.start));
}
inline void end() {
    CHECK(cudaEventRecord(watch.stop));
    *(volatile int*)watch.go = 1;
    CHECK(cudaEventSynchronize(watch.stop));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, watch.start, watch.stop));
    watch.us = ms * 1e3;
}
inline void timerStart() {
    if (watch.off) return;
    if (watch.clock.graph) CHECK(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed));
    else begin();
}
inline void timerStop() {
    if (watch.off) return;
    if (!watch.clock.graph) return end();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphUpload(exec, cudaStreamPerThread));
    begin();
    CHECK(cudaGraphLaunch(exec, cudaStreamPerThread));
    end();
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
template <class In> struct Input {
    In* data;
    double total;
    Input(long long n, bool exact, bool sorted = false) {
        unsigned long long *total_dev, sum;
        CHECK(cudaMalloc(&data, n * sizeof(In)));
        CHECK(cudaMalloc(&total_dev, 8));
        CHECK(cudaMemset(total_dev, 0, 8));
        fill<<<1024, 512>>>(data, n, exact, sorted, total_dev);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&sum, total_dev, 8, cudaMemcpyDefault));
        CHECK(cudaFree(total_dev));
        total = double(sum) * scale<In>(exact);
    }
    Input(const Input&) = delete;
    ~Input() { CHECK(cudaFree(data)); }
};

// ---------------------------------------------------------------- 変種
struct Case { long long n; int iterations; float threshold; bool sorted; };

struct Shared {  // 同じ場合の変種は、同じ入力を使う
    std::map<std::type_index, std::shared_ptr<void>> inputs[2];
    std::shared_ptr<Input<float>> first;  // 5.5 の、最初の変種の結果
};
template <class In> const Input<In>& input(Shared& shared, const Case& c, bool exact) {
    auto& found = shared.inputs[exact][typeid(In)];
    if (!found) found = std::make_shared<Input<In>>(c.n, exact, c.sorted);
    return *static_cast<Input<In>*>(found.get());
}

__global__ void countDifferent(const unsigned* a, const unsigned* b, long long n, unsigned* count) {
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        if (a[i] != b[i]) atomicAdd(count, 1);
}

struct Variant {
    const char* name;
    bool checked;  // false なら、合わなくてよい (バリアを外すなど、時間だけを見る変種)
    std::function<bool(Shared&, const Case&, bool exact)> call;

    // 総和: 1 回目は 1 つも違わず、その後は、順に足したときの誤差まで許す
    template <class Out, class In, class Index>
    Variant(const char* name, bool checked, Out (*sum)(const In*, Index)) : name(name), checked(checked) {
        call = [sum](Shared& shared, const Case& c, bool exact) {
            const Input<In>& x = input<In>(shared, c, exact);
            const double result = double(sum(x.data, Index(c.n)));
            watch.kept = result / (x.total / double(c.n));
            const double allowed = exact || std::is_integral_v<In> ? 0 : 4 * std::sqrt(double(c.n)) * 0x1p-24 * x.total;
            return std::fabs(result - x.total) <= allowed;
        };
    }
    // 5.5: どの要素も、最初の変種の結果と同じ
    Variant(const char* name, bool checked, void (*process)(const float*, float*, int, float, int)) : name(name), checked(checked) {
        call = [process](Shared& shared, const Case& c, bool) {
            const Input<float>& in = input<float>(shared, c, false);
            Input<float> out(c.n, true);
            process(in.data, out.data, int(c.n), c.threshold, c.iterations);
            if (!shared.first) {
                shared.first = std::make_shared<Input<float>>(c.n, true);
                CHECK(cudaMemcpy(shared.first->data, out.data, c.n * sizeof(float), cudaMemcpyDefault));
            }
            unsigned *count_dev, count;
            CHECK(cudaMalloc(&count_dev, 4));
            CHECK(cudaMemset(count_dev, 0, 4));
            countDifferent<<<1024, 512>>>((unsigned*)out.data, (unsigned*)shared.first->data, c.n, count_dev);
            CHECK(cudaGetLastError());
            CHECK(cudaMemcpy(&count, count_dev, 4, cudaMemcpyDefault));
            CHECK(cudaFree(count_dev));
            return count == 0;
        };
    }
};

// ---------------------------------------------------------------- 実行
template <class T> std::vector<T> numbers(const char* text) {
    std::vector<T> found;
    std::stringstream in(text);
    for (std::string part; std::getline(in, part, ',');) found.push_back(T(std::stod(part)));
    return found;
}
inline double middle(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}
__global__ void mark() {}  // ncu の記録の中で、変種の切れ目になる

// --n と --clock と --iterations と --threshold の組ごとに、変種を代わる代わる、rounds 周、1 周に repeat 回ずつ測る
inline int run(int argc, char** argv, const std::vector<Variant>& variants) {
    std::vector<double> lengths, iterations{1}, thresholds{0.7};
    std::string clocks = "read";
    int rounds = 5, repeat = 5;
    bool count = false, sorted = false;
    for (int k = 1; k < argc; k++) {
        const std::string a = argv[k];
        if (a == "--count") count = true;
        else if (a == "--sorted") sorted = true;
        else if (a == "--n") lengths = numbers<double>(argv[++k]);
        else if (a == "--iterations") iterations = numbers<double>(argv[++k]);
        else if (a == "--threshold") thresholds = numbers<double>(argv[++k]);
        else if (a == "--clock") clocks = argv[++k];
        else if (a == "--rounds") rounds = atoi(argv[++k]);
        else if (a == "--repeat") repeat = atoi(argv[++k]);
        else return fprintf(stderr, "%s は知らない指定\n", a.c_str()), 2;
    }
    int l2;
    CHECK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
    watch.l2 = l2;
    watch.off = count;
    CHECK(cudaMalloc(&watch.flush, 4 * watch.l2));
    CHECK(cudaMemset(watch.flush, 0, 4 * watch.l2));
    CHECK(cudaHostAlloc(&watch.go, sizeof(int), cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&watch.go_dev, watch.go, 0));
    CHECK(cudaEventCreate(&watch.start));
    CHECK(cudaEventCreate(&watch.stop));

    bool right = true;
    for (double n : lengths) for (double it : iterations) for (double threshold : thresholds) {
        const Case c{(long long)n, int(it), float(threshold), sorted};
        Shared shared;
        watch.longInput = n > kLong;
        std::vector<char> agree(variants.size(), 1);
        std::vector<double> first(variants.size()), kept(variants.size());
        if (!count) watch.clock = kClocks[1];
        for (size_t k = 0; k < variants.size(); k++) {  // 1 回目は、コードを読み込む時間などを含む
            if (count) mark<<<unsigned(k + 1), 1>>>();
            agree[k] = variants[k].call(shared, c, true);
            first[k] = watch.us;
        }
        if (count) continue;
        for (const Clock& clock : kClocks) {
            if (("," + clocks + ",").find("," + clock.name + ",") == std::string::npos) continue;
            if (clock.graph && !kCapturable) return fprintf(stderr, "%s は、既定のストリームを記録できるように作る\n", clock.name.c_str()), 2;
            watch.clock = clock;
            std::vector<std::vector<double>> all(variants.size()), medians(variants.size());
            for (int round = 0; round < rounds; round++) {
                for (size_t j = 0; j < variants.size(); j++) {
                    const size_t k = round % 2 ? variants.size() - 1 - j : j;  // 1 周ごとに、順番を逆にする
                    std::vector<double> us;
                    for (int r = 0; r < repeat; r++) {
                        agree[k] &= variants[k].call(shared, c, false);
                        us.push_back(watch.us);
                        kept[k] = watch.kept;
                    }
                    all[k].insert(all[k].end(), us.begin(), us.end());
                    medians[k].push_back(middle(us));
                }
            }
            for (size_t k = 0; k < variants.size(); k++) {
                right &= agree[k] || !variants[k].checked;
                printf("{\"variant\": \"%s\", \"n\": %lld, ", variants[k].name, c.n);
                if (iterations.size() > 1 || it != 1) printf("\"iterations\": %d, ", c.iterations);
                if (thresholds.size() > 1) printf("\"threshold\": %g, ", c.threshold);
                printf("\"clock\": \"%s\", \"us\": %.6g, \"us_min\": %.6g, \"us_max\": %.6g, \"us_first\": %.6g, ", clock.name.c_str(),
                       middle(medians[k]), *std::min_element(all[k].begin(), all[k].end()), *std::max_element(all[k].begin(), all[k].end()), first[k]);
                if (!variants[k].checked) printf("\"kept\": %.4g, ", kept[k]);
                printf("\"rounds_us\": [");
                for (size_t r = 0; r < medians[k].size(); r++) printf("%s%.6g", r ? ", " : "", medians[k][r]);
                printf("], \"repeat\": %d, \"agree\": %s}\n", repeat, agree[k] ? "true" : "false");
            }
            fflush(stdout);
        }
    }
    if (count)
        CHECK(cudaDeviceSynchronize());
    return right ? 0 : 1;
}

}  // namespace measured
