// 5.8 ★★ 報告から誤りを見つける: 最後のブロック
// 次のカーネルには誤りが1つある。`make check` の報告の行から、誰がまだ書かれていない値を見たのかを言ってから直せ。
// ヒント: `last` に書くのはスレッド0だけである。他のスレッドは、いつ読んでよいか。
// 解説: `last` は共有メモリにある。スレッド0が札を取る前に読んだ仲間は、決まっていない値で帰るか残るかを決めてしまう。
// 解説: バリアは、書いた後、読む前に要る。フェンスが決めるのは書き込みの見える順番であって、仲間を待つことではない。
#include "question.cuh"

#include "block-sum.cuh"

// --8<-- [start:kernel]
__device__ unsigned ticket;  // 部分和を書き終えたブロックの数

// in の n 個をグリッドの全員で合計し、out に書く。ブロック b の部分和は part[b] に置く
__global__ void sumAll(const float* in, float* part, float* out, int n) {
    __shared__ bool last;
    int tid = threadIdx.x;
    float v = sumBlock(sumThread(in, n, gridDim.x));
    if (tid == 0) {
        part[blockIdx.x] = v;
        __threadfence();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    // --8<-- [start:answer]
    //- if (!last) return;
    //- __syncthreads();
    __syncthreads();
    if (!last) return;
    // --8<-- [end:answer]

    v = 0;
    for (int i = tid; i < int(gridDim.x); i += kBlock) v += part[i];
    v = sumBlock(v);
    if (tid == 0) *out = v;
}
// --8<-- [end:kernel]

void total(const float* x_dev, int n, float* out_dev) {
    int blocks = gridSize(sumAll, n);
    book::Array<float> part_dev(blocks);
    sumAll<<<blocks, kBlock>>>(x_dev, part_dev, out_dev, n);
    CHECK(cudaGetLastError());
}

// 答え合わせ: CPU の合計と、got が違うときの手がかり
book::Expected<float> expect(const float* x, int n, float got) {
    return book::expectSum(x, n, got, "仕上げに残ったスレッドが足りない");
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, total, expect, {"small"}); }
