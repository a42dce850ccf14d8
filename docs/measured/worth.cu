// GPU はいつ得か (5.0): 同じ float の列を CPU で足す時間と、GPU に送る時間。長さごとに 1 行の JSON を書く。
// 足す時間は 5.9 の記録にあるので、ここでは測らない。どの時間も、準備の 1 回を捨てた 11 回の中央値
//   core_ms     for ループ 1 つで、double の変数 1 つに順に足す。1 コア
//   cores_ms    使えるコアの全部 (cores 個) で手分けし、1 つのコアは 8 つの変数に足す
//   send_ms     普通のメモリから cudaMemcpy で送る
//   pinned_ms   cudaMallocHost で取ったメモリ (装置がじかに読める) から送る
//   allocate_ms cudaMalloc と cudaFree
#include "timer.h"

#include <condition_variable>
#include <mutex>
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

// スレッドは先に起こしておく: 起こす時間は、測らない
class Team {
    std::vector<std::thread> threads;
    std::vector<double> parts;
    std::mutex lock;
    std::condition_variable begin, end;
    const float* x = nullptr;
    size_t n = 0;
    int turn = 0, busy = 0;
    bool over = false;

    void work(size_t me) {
        for (int seen = 0;;) {
            {
                std::unique_lock<std::mutex> hold(lock);
                begin.wait(hold, [&] { return over || turn != seen; });
                if (over) return;
                seen = turn;
            }
            const size_t count = parts.size(), from = n * me / count, to = n * (me + 1) / count;
            parts[me] = sumInEight(x + from, to - from);
            std::lock_guard<std::mutex> hold(lock);
            if (--busy == 0) end.notify_one();
        }
    }

 public:
    explicit Team(size_t count) : parts(count) {
        for (size_t k = 0; k < count; k++) threads.emplace_back([this, k] { work(k); });
    }
    ~Team() {
        {
            std::lock_guard<std::mutex> hold(lock);
            over = true;
        }
        begin.notify_all();
        for (auto& t : threads) t.join();
    }
    double sum(const float* values, size_t length) {
        std::unique_lock<std::mutex> hold(lock);
        x = values, n = length, busy = int(threads.size()), turn++;
        begin.notify_all();
        end.wait(hold, [&] { return busy == 0; });
        double all = 0;
        for (double v : parts) all += v;
        return all;
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
