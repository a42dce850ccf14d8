// 5.1 ★★★ ないアトミック演算を作る
// CUDAには、`float` の `atomicMax` がない。`atomicCAS` (比べて、同じなら替える) を使って作れ。
// 使う: atomicCAS
// ヒント: `atomicCAS(p, old, new)` は、`*p` が `old` のときだけ `new` に替え、替える前の値を返す。
// ヒント: 返った値が `old` でなければ、先を越された。比べ直す。`float` は `__float_as_int` で `int` と見て渡す。
// 解説: 替えられたら終わり、先を越されたら、返ってきた今の値ともう一度比べる。
// 解説: 今の値が自分より大きくなっていれば、替えなくてよい。
// 解説: `float` を `int` と見なして `atomicMax` を呼ぶ近道は、負の値どうしで大小が逆になる。
// 解説: 1回で替えられる大きさの値なら、どの演算も、「比べて、同じなら替える」を繰り返して作れる。
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下

// --8<-- [start:kernel]
// *to を、v との大きい方にする
__device__ void maxInto(float* to, float v) {
    // --8<-- [start:answer] 読んでから書くまでの間に、他のスレッドを入れない
    //- *to = fmaxf(*to, v);
    int* bits = reinterpret_cast<int*>(to);
    int seen = __float_as_int(-INFINITY);  // 初めは当て推量でよい。違えば、今の値が返る
    while (__int_as_float(seen) < v) {
        int old = atomicCAS(bits, seen, __float_as_int(v));
        if (old == seen) return;
        seen = old;  // 先を越された
    }
    // --8<-- [end:answer]
}

// in の n 個の最大値を out に残す。out は先に負の無限大 (比べても最大値を変えない値) にしておく
__global__ void maxAll(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) maxInto(out, in[i]);
}
// --8<-- [end:kernel]

void largest(const float* x_dev, int n, float* out_dev) {
    const float identity = -INFINITY;
    CHECK(cudaMemcpy(out_dev, &identity, sizeof(float), cudaMemcpyHostToDevice));
    maxAll<<<(n + kBlock - 1) / kBlock, kBlock>>>(x_dev, out_dev, n);
    CHECK(cudaGetLastError());
}

// 答え合わせ: CPU で求めた最大値と、got が違うときの手がかり
book::Expected<float> expect(const float* x, int n, float got) {
    return book::expectLargest(x, n, got, "先を越された後に、やり直していない", "ビットの並びと値を取り違えていないか");
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, largest, expect, {"low", "far", "inf"}); }
