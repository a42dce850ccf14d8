// 5.2 ★★ 報告から誤りを見つける: 1つの配列
// 次のカーネルには誤りが1つある。`make check` の報告を読み、どのスレッドが何をしたのかを言ってから直せ。
// ヒント: 報告の行は、誤りが見えた所である。`remain` が9、`reduce` が8のとき、`i` が8のスレッドが読む番号を求めよ。
// 解説: `remain` と `reduce` は、残りが奇数のときに1つ違う。
// 解説: 足す相手がいるのは、`i` が `reduce` より小さいスレッドだけである。
// 解説: 残りが偶数のときだけ試すと、合計は合い、配列の外も読まない。いろいろなNで確かめるのは、このためである。
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下

// --8<-- [start:kernel]
// x の後半 reduce 個を先頭から足す。x[remain] から後ろはもう使わない (remain >= reduce)
__global__ void addReduction(float* x, int remain, int reduce) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // --8<-- [start:answer]
    //- if (i < remain) x[i] += x[i + remain];
    if (i < reduce) x[i] += x[i + remain];
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

void total(const float* in, int n, float* out_dev) {
    book::Array<float> x_dev(n);
    CHECK(cudaMemcpy(x_dev, in, n * sizeof(float), cudaMemcpyDeviceToDevice));
    for (int len = n; len > 1;) {
        int reduce = len >> 1;
        int remain = len - reduce;  // 奇数なら 1 個多い
        addReduction<<<(remain + kBlock - 1) / kBlock, kBlock>>>(x_dev, remain, reduce);
        CHECK(cudaGetLastError());
        len = remain;
    }
    CHECK(cudaMemcpy(out_dev, x_dev, sizeof(float), cudaMemcpyDeviceToDevice));
}

// 答え合わせ: CPU の合計と、got が違うときの手がかり
book::Expected<float> expect(const float* x, int n, float got) {
    return book::expectSum(x, n, got, "余分な値を足したか、足されていない要素がある");
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, total, expect, {"small"}); }
