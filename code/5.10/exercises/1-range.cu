// 5.10 ★★ 最大値と最小値の差を、1度の読み出しで求める
// 列の最大値から最小値を引いた値を、1度読むだけで求められるように、演算子を書け。
// ヒント: 差だけを持っていては畳めない。2つの列の差から、つないだ列の差は決まらない。
// ヒント: 組の2つの数には、別々の単位元が要る。
// 解説: 最小値と最大値の組を持ち、それぞれを別々に畳んで、最後に引く。組の演算子の法則は、2つの演算子の法則から従う。
// 解説: 単位元は、2つの単位元の組 (正の無限大, 負の無限大) である。0どうしの組では、負の数ばかりの列の最大値が0になる。
#include "block-fold.cuh"
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");

// --8<-- [start:kernel]
// 最小値と最大値
struct Range {
    struct Value { float low, high; };
    // --8<-- [start:answer] 単位元、1 個の要素の組、2 つの組のまとめ方を直す
    //- __device__ static Value identity() { return {0, 0}; }
    //- __device__ static Value lift(float x, int) { return {x, 0}; }
    //- __device__ Value operator()(Value a, Value b) const { return {a.low + b.low, a.high + b.high}; }
    __device__ static Value identity() { return {INFINITY, -INFINITY}; }
    __device__ static Value lift(float x, int) { return {x, x}; }
    __device__ Value operator()(Value a, Value b) const { return {Min()(a.low, b.low), Max()(a.high, b.high)}; }
    // --8<-- [end:answer]
};

// in の n 個の、最大値と最小値の差を out に書く。ブロックは 1 つ。in[i] と読むたびに、読んだ回数が数えられる
__global__ void range(book::Counted<float> in, float* out, int n) {
    Range op;
    Range::Value v = op.identity();
    for (int i = threadIdx.x; i < n; i += kBlock) v = op(v, op.lift(in[i], i));
    v = foldBlock<Range>(v);
    if (threadIdx.x == 0) *out = v.high - v.low;
}
// --8<-- [end:kernel]

void find(const float* x_dev, int n, float* out_dev) {
    book::countReads(x_dev, n, out_dev, [=](book::Counted<float> in) { range<<<1, kBlock>>>(in, out_dev, n); });
}

// 答え合わせ: CPU で求めた差と、got が違うときの手がかり
book::Expected<float> expect(const float* x, int n, float got) {
    float low = x[0], high = x[0];
    for (int i = 1; i < n; i++) low = std::min(low, x[i]), high = std::max(high, x[i]);
    return {high - low, got == -low || got == high ? "0 との差である: 端数を埋めた値が、最大値か最小値になった"
                        : got < 0          ? "差が負である: 引く向きが逆か、2 度読んだ (負の数は、読んだ回数である)"
                        : got > high - low ? "差が大きすぎる: 入力にない値が、組に入った"
                                           : "差が小さすぎる: まとめていない要素がある"};
}

int main(int argc, char** argv) {
    return book::question(argc, argv, __FILE__, find, expect, {"low", "mixed", "high", "onezero"});
}
