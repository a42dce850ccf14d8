// GPU はいつ得か (5.0): 同じ float の列を CPU で足す時間と、GPU に送る時間。長さごとに 1 行の JSON を書く。
// 足す時間は 5.9 の記録にあるので、ここでは測らない。どの時間も、準備の 1 回を捨てた 11 回の中央値
//   core_ms     for ループ 1 つで、double の変数 1 つに順に足す。1 コア
//   cores_ms    使えるコアの全部 (cores 個) で手分けし、1 つのコアは 8 つの変数に足す
//   send_ms     普通のメモリから cudaMemcpy で送る
//   pinned_ms   cudaMallocHost で取ったメモリ (装置がじかに読める) から送る
//   allocate_ms cudaMalloc と cudaFree
#include "timer.h"

#include <numeric>
#include <thread>

constexpr int kRepeat = 11;

template <class F> double medianMs(F f) {
    std::vector<double> ms;
    for (int k = 0; k <= kRepeat; k++) {
        const double before = book::nowMs();
        f();
        if (k > 0) ms.push_back(book::nowMs() - before);
    }
    return book::median(ms);
}

static double sumInOrder(const float* x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum;
}

static double sumInEight(const float* x, size_t n) {
    double p[8] = {};
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++) p[k] += x[i + k];
    double sum = 0;
    for (; i < n; i++) sum += x[i];
    for (double v : p) sum += v;
    return sum;
}

// 手分けするスレッドは先に起こしておく: 起こす時間は、測らない
struct Team {
    std::vector<double> parts;
    std::vector<std::thread> threads;
    pthread_barrier_t turn;  // 仕事の前と後に、全員がそろう
    const float* x = nullptr;
    size_t n = 0;

    explicit Team(size_t count) : parts(count) {
        pthread_barrier_init(&turn, nullptr, unsigned(count + 1));
        for (size_t me = 0; me < count; me++)
            threads.emplace_back([this, me, count] {
                for (pthread_barrier_wait(&turn); x; pthread_barrier_wait(&turn)) {
                    const size_t from = n * me / count, to = n * (me + 1) / count;
                    parts[me] = sumInEight(x + from, to - from);
                    pthread_barrier_wait(&turn);
                }
            });
    }
    ~Team() {
        x = nullptr;
        pthread_barrier_wait(&turn);
        for (auto& t : threads) t.join();
    }
    double sum(const float* values, size_t length) {
        x = values, n = length;
        pthread_barrier_wait(&turn);
        pthread_barrier_wait(&turn);
        return std::accumulate(parts.begin(), parts.end(), 0.0);
    }
};

int main() {
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    Team team(cores);
    for (int power = 10; power <= 28; power += 2) {
        const size_t n = size_t(1) << power, bytes = n * sizeof(float);
        std::vector<float> x(n);
        unsigned state = 12345;
        for (float& v : x) state = state * 1664525u + 1013904223u, v = float(state >> 8) / (1 << 24);
        float *pinned, *x_dev;
        CHECK(cudaMallocHost(&pinned, bytes));
        CHECK(cudaMalloc(&x_dev, bytes));
        std::copy(x.begin(), x.end(), pinned);

        double one = 0, all = 0;
        const double core = medianMs([&] { one = sumInOrder(x.data(), n); });
        const double whole = medianMs([&] { all = team.sum(x.data(), n); });
        if (!(std::fabs(one - all) <= 1e-9 * one)) {
            fprintf(stderr, "%zu 個の合計が合わない: %.17g と %.17g\n", n, one, all);
            return 1;
        }
        // cudaMemcpy は、小さいと送り終わる前に戻るので、終わるまで待つ
        auto send = [&](const float* from) {
            return medianMs([&] {
                CHECK(cudaMemcpy(x_dev, from, bytes, cudaMemcpyHostToDevice));
                CHECK(cudaDeviceSynchronize());
            });
        };
        const double pageable = send(x.data()), direct = send(pinned);
        CHECK(cudaFree(x_dev));
        const double allocate = medianMs([&] {
            CHECK(cudaMalloc(&x_dev, bytes));
            CHECK(cudaFree(x_dev));
        });
        CHECK(cudaFreeHost(pinned));
        printf(
            "{\"device\": \"%s\", \"n\": %zu, \"cores\": %u, \"repeat\": %d, \"core_ms\": %.6g, \"cores_ms\": %.6g, "
            "\"send_ms\": %.6g, \"pinned_ms\": %.6g, \"allocate_ms\": %.6g}\n",
            p.name, n, cores, kRepeat, core, whole, pageable, direct, allocate);
        fflush(stdout);
    }
}
