// 5.1 ★★ 合計を最大値に変える
// 5.1 atomicのカーネルを、最大値を求めるものに変えよ。負の値だけの入力でも合わなければならない。
// ヒント: 2つのうちの大きい方を選ぶことも、合計と同じく、どの順にしても結果が同じである。
// ヒント: アトミック演算には `atomicMax` もある。
// 解説: `atomicMax` は、読む、比べる、書くを1手でする。
// 解説: `if (in[i] > *out) *out = in[i];` では、比べてから書くまでの間に他のスレッドが書く。
// 解説: 余ったスレッドに0を比べさせると、負の値だけのときに0が残る。最大値を変えない値は、いちばん小さい値である。
#include <climits>

#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下

// --8<-- [start:kernel]
// in の n 個の最大値を out に残す。out は先に int の最小値 (比べても最大値を変えない値) にしておく
__global__ void maxAll(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // --8<-- [start:answer] 合計を、最大値にする
    //- if (i < n) atomicAdd(out, in[i]);
    if (i < n) atomicMax(out, in[i]);
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

void largest(const int* x_dev, int n, int* out_dev) {
    const int identity = INT_MIN;
    CHECK(cudaMemcpy(out_dev, &identity, sizeof(int), cudaMemcpyHostToDevice));
    maxAll<<<(n + kBlock - 1) / kBlock, kBlock>>>(x_dev, out_dev, n);
    CHECK(cudaGetLastError());
}

// 答え合わせ: CPU で求めた最大値と、got が違うときの手がかり
book::Expected<int> expect(const int* x, int n, int got) {
    return book::expectLargest(x, n, got, "比べた後、書く前に、他のスレッドが書いた",
                               "余ったスレッドの値か、最大値でない演算が混ざった");
}

int main(int argc, char** argv) {
    return book::question(argc, argv, __FILE__, largest, expect, {"low", "mixed", "far", "high"});
}
