// 装置そのものの記録。1 行 1 つの JSON を書く。引数は、記録の名前
//   sizes    装置の大きさ: 本の「機械の図」(5.0) に書く数を、装置に聞く
//   latency  1 つの読み出しを頼んでから届くまで: 届いた値が次の番地になる列を、1 スレッドでたどる。場所の大きさごとに
//   worth    GPU はいつ得か (5.0)。足す時間は 5.9 の記録にあるので、ここでは測らない
//     core_ms    for ループ 1 つで、double の変数 1 つに順に足す。1 コア
//     cores_ms   使えるコアの全部 (cores 個) で手分けし、1 つのコアは 8 つの変数に足す
//     send_ms    普通のメモリから cudaMemcpy で送る
//     pinned_ms  cudaMallocHost で取ったメモリ (装置がじかに読める) から送る
#include "harness.h"

#include <numeric>
#include <thread>

constexpr int kRepeat = 11;  // どの時間も、準備の 1 回を捨てた 11 回の中央値

template <class F> static double medianOf(F measured) {
    std::vector<double> v;
    for (int k = 0; k <= kRepeat; k++) v.push_back(measured());
    return book::median({v.begin() + 1, v.end()});
}

static void sizes() {
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    printf(
        "{\"device\": \"%s\", \"sms\": %d, \"warps_per_sm\": %d, \"threads_per_sm\": %d, \"registers_per_sm\": %d, "
        "\"shared_bytes\": %zu, \"l2_bytes\": %d, \"memory_bytes\": %zu}\n",
        p.name, p.multiProcessorCount, p.maxThreadsPerMultiProcessor / p.warpSize, p.maxThreadsPerMultiProcessor,
        p.regsPerMultiprocessor, p.sharedMemPerMultiprocessor, p.l2CacheSize, p.totalGlobalMem);
}

__global__ void chase(const unsigned* next, unsigned at, int hops, unsigned* end) {
    for (int k = 0; k < hops; k++) at = next[at];
    *end = at;
}
static void latency() {
    constexpr int kLine = 128 / sizeof(unsigned), kHops = 1 << 15;  // キャッシュの 1 行に 1 つずつ置く
    for (const size_t bytes : {size_t(16) << 10, size_t(8) << 20, size_t(1) << 30}) {
        const unsigned lines = unsigned(bytes / 128);
        std::vector<unsigned> order(lines), next(bytes / sizeof(unsigned));
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), std::mt19937(12345));
        for (unsigned k = 0; k < lines; k++)
            next[order[k] * kLine] = order[(k + 1) % lines] * kLine;  // 全部を 1 度ずつ通る
        const book::Array<unsigned> next_dev(next.data(), next.size()), end_dev(1);
        book::watch.hot = true;  // L2 に載る列では、L2 までの時間を測る
        unsigned at = order[0];
        const double ns = medianOf([&] {  // 続きから始めるので、1 GiB では、前にたどった所に戻らない
            book::timerStart();
            chase<<<1, 1>>>(next_dev, at, kHops, end_dev);
            book::timerStop();
            at = end_dev.first();
            return book::watch.ms * 1e6 / kHops;
        });
        printf("{\"bytes\": %zu, \"ns\": %.4g, \"hops\": %d, \"repeat\": %d}\n", bytes, ns, kHops, kRepeat);
    }
}

static double sumInOrder(const float* x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum;
}
static double sumInEight(const float* x, size_t n) {
    double p[8] = {};
    for (size_t i = 0; i < n / 8 * 8; i += 8)
        for (int k = 0; k < 8; k++) p[k] += x[i + k];
    return std::accumulate(p, p + 8, sumInOrder(x + n / 8 * 8, n % 8));
}
static void worth() {
    const std::string device = book::deviceName();
    const int cores = std::max(1, int(std::thread::hardware_concurrency()));
    for (int power = 10; power <= 28; power += 2) {
        const size_t n = size_t(1) << power, bytes = n * sizeof(float);
        const std::vector<float> x = book::makeInput<float>((long long)n, book::Input::uniform);
        const book::Array<float> x_dev(n);
        float* pinned;
        CHECK(cudaMallocHost(&pinned, bytes));
        std::copy(x.begin(), x.end(), pinned);
        const auto medianMs = [](auto job) {
            return medianOf([&] {
                const double before = book::nowMs();
                job();
                return book::nowMs() - before;
            });
        };
        double one = 0, all = 0;
        const double core = medianMs([&] { one = sumInOrder(x.data(), n); });
        const double whole = medianMs([&] {
            all = 0;
#pragma omp parallel for num_threads(cores) reduction(+ : all)
            for (int k = 0; k < cores; k++)
                all += sumInEight(x.data() + n * k / cores, n * (k + 1) / cores - n * k / cores);
        });
        if (!(std::fabs(one - all) <= 1e-9 * one))
            book::badUsage(book::format("%zu 個の合計が合わない: %.17g と %.17g", n, one, all));
        const auto send = [&](const float* from) {  // cudaMemcpy は、小さいと送り終わる前に戻るので、終わるまで待つ
            return medianMs([&] {
                CHECK(cudaMemcpy(x_dev, from, bytes, cudaMemcpyHostToDevice));
                CHECK(cudaDeviceSynchronize());
            });
        };
        const double pageable = send(x.data()), direct = send(pinned);
        CHECK(cudaFreeHost(pinned));
        printf(
            "{\"device\": \"%s\", \"n\": %zu, \"cores\": %d, \"repeat\": %d, \"core_ms\": %.6g, \"cores_ms\": %.6g, "
            "\"send_ms\": %.6g, \"pinned_ms\": %.6g}\n",
            device.c_str(), n, cores, kRepeat, core, whole, pageable, direct);
        fflush(stdout);
    }
}

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    what == "sizes" ? sizes() : what == "latency" ? latency() : worth();
}
