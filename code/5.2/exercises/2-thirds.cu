// 5.2 ★★★ 3つに分けて畳む
// 1回の起動で、3分の1ずつを足す。ホスト側は、`len` を3で割って切り上げ、`remain` とする。
// `x[i]` に、`x[i + remain]` と `x[i + 2 * remain]` を足すカーネルを書け。
// ヒント: 3で割り切れないとき、2つ目と3つ目の組は、`remain` 個より少ないことがある。
// ヒント: 番号が `len` より小さいかを、別々に確かめる。
// 解説: 足す相手がいるかどうかは、相手ごとに違う。`len` が7なら `remain` は3で、3つ目の組は1個しかない。
// 解説: 起動は、底が3の対数の回数に減る。読み書きの合計も減るが、1回の起動で働くスレッドは少なくなる。
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下

// --8<-- [start:kernel]
// x の len 個を、remain 個ずつの 3 つの組に分け (最後の組は少ないことがある)、初めの組に足す
__global__ void addThirds(float* x, int len, int remain) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // --8<-- [start:answer] 2 つ目と 3 つ目の組を、初めの組に足す。配列の外は読まない
    if (i >= remain) return;
    if (i + remain < len) x[i] += x[i + remain];
    if (i + 2 * remain < len) x[i] += x[i + 2 * remain];
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

void total(const float* in, int n, float* out_dev) {
    book::Array<float> x_dev(n);
    CHECK(cudaMemcpy(x_dev, in, n * sizeof(float), cudaMemcpyDeviceToDevice));
    for (int len = n; len > 1;) {
        int remain = (len + 2) / 3;
        addThirds<<<(remain + kBlock - 1) / kBlock, kBlock>>>(x_dev, len, remain);
        CHECK(cudaGetLastError());
        len = remain;
    }
    CHECK(cudaMemcpy(out_dev, x_dev, sizeof(float), cudaMemcpyDeviceToDevice));
}

// 答え合わせ: CPU の合計と、got が違うときの手がかり
book::Expected<float> expect(const float* x, int n, float got) {
    return book::expectSum(x, n, got, "3 で割り切れない長さの、終わりの組を確かめる");
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, total, expect, {"small"}); }
