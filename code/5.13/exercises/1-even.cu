// 5.13 ★★ 偶数の方に丸める
// 整数を、上から4ビットだけを残した、いちばん近い数に丸めよ。下は0にする。ちょうど真ん中なら、残りが偶数の方にする。
// ヒント: 捨てる分を、捨てる桁の半分と比べる。同じときだけ、残る数を見る。
// 解説: 絶対値で考えれば、負の数も同じ式で済む。1111に1を足した10000も、下が0なので、4ビットの数である。
// 解説: いつも大きい方に丸めると、真ん中の数が多い列では、合計が一方にずれていく。
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数

// --8<-- [start:kernel]
__device__ int rounded(int v) {
    const int size = v < 0 ? -v : v, drop = 28 - __clz(size);  // 捨てるビットの数
    if (drop <= 0) return v;
    int kept = size >> drop;
    // --8<-- [start:answer] 捨てた分が半分より大きいか、半分で kept が奇数なら、kept を 1 つ増やす (2 行)
    const int rest = size - (kept << drop), half = 1 << (drop - 1);
    if (rest > half || (rest == half && kept % 2 == 1)) kept++;
    // --8<-- [end:answer]
    return v < 0 ? -(kept << drop) : kept << drop;
}

// 丸めた数の合計を、out に足す。out は先に 0 にしておく
__global__ void sumRounded(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, rounded(in[i]));
}
// --8<-- [end:kernel]

void sumOf(const int* x_dev, int n, int* out_dev) {
    CHECK(cudaMemset(out_dev, 0, sizeof(int)));
    sumRounded<<<(n - 1) / kBlock + 1, kBlock>>>(x_dev, out_dev, n);
    CHECK(cudaGetLastError());
}

// 答え合わせ: 上から 4 ビットの数を小さい順に並べ、両隣の近い方を選ぶ
book::Expected<int> expect(const int* x, int n, int got) {
    unsigned value = 0, up = 0;  // あふれたら、atomicAdd と同じく回る
    for (int i = 0; i < n; i++) {
        const int size = std::abs(x[i]);
        int low = 0, high = 0, step = 1, kept = 0;
        for (; high < size; high += step, kept++) {
            low = high;
            if (kept == 16) kept = 8, step *= 2;
        }
        const bool first = size - low < high - size || (size - low == high - size && low / step % 2 == 0);
        const int near = high == size || size == 0 ? size : first ? low : high;
        const int above = high == size || size == 0 ? size : 2 * size < low + high ? low : high;
        value += x[i] < 0 ? -near : near;
        up += x[i] < 0 ? -above : above;
    }
    return {int(value),
            got == int(up) ? "真ん中の数を、いつも大きい方に丸めている" : "いちばん近い数に丸めていないものがある"};
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, sumOf, expect, {"mixed", "halves"}); }
