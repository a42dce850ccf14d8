// 1 つの読み出しを頼んでから届くまで: 届いた値が次の番地になる列を 1 スレッドでたどる。場所の大きさごとに 1 行の JSON
#include "timer.h"

#include <numeric>
#include <random>

constexpr int kLine = 128 / sizeof(unsigned);  // キャッシュの 1 行に 1 つずつ置く
constexpr int kHops = 1 << 15, kRepeat = 11;

__global__ void chase(const unsigned* next, unsigned at, int hops, unsigned* end) {
    for (int k = 0; k < hops; k++) at = next[at];
    *end = at;
}

int main() {
    for (const size_t bytes : {size_t(16) << 10, size_t(8) << 20, size_t(1) << 30}) {
        const unsigned lines = unsigned(bytes / 128);
        std::vector<unsigned> order(lines), next(bytes / sizeof(unsigned));
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), std::mt19937(12345));
        for (unsigned k = 0; k < lines; k++) next[order[k] * kLine] = order[(k + 1) % lines] * kLine;  // 全部を 1 度ずつ通る
        const book::Array<unsigned> next_dev(next.data(), next.size()), end_dev(1);
        book::watch.hot = true;  // L2 に載る列では、L2 までの時間を測る
        std::vector<double> ns;
        unsigned at = order[0];
        for (int k = 0; k <= kRepeat; k++) {  // 続きから始めるので、1 GiB では、前にたどった所に戻らない
            book::timerStart();
            chase<<<1, 1>>>(next_dev, at, kHops, end_dev);
            book::timerStop();
            if (k) ns.push_back(book::watch.ms * 1e6 / kHops);  // 1 回目は準備を含む
            at = end_dev.first();
        }
        printf("{\"bytes\": %zu, \"ns\": %.4g, \"ns_min\": %.4g, \"ns_max\": %.4g, \"hops\": %d, \"repeat\": %d}\n", bytes,
               book::median(ns), *std::min_element(ns.begin(), ns.end()), *std::max_element(ns.begin(), ns.end()), kHops,
               kRepeat);
    }
}
