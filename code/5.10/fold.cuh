// 5.10 の 2 つのリストの部品: ブロックごとの答えを 1 つにするカーネルと、ホスト側
#pragma once
#include "../5.7/grid.cuh"
#include "block-fold.cuh"
#include "folds.cuh"

// --8<-- [start:parts]
// blocks 個の答えを、1 ブロックで畳む。もう答えになっているので、lift は要らない
template <class Op> __global__ void foldParts(const typename Op::Value* part, typename Op::Value* out, int blocks) {
    Op op;
    typename Op::Value v = op.identity();
    for (int i = threadIdx.x; i < blocks; i += kBlock) {
        typename Op::Value w = part[i];
        v = op(v, w);
    }
    v = foldBlock<Op>(v);
    if (threadIdx.x == 0) *out = v;
}
// --8<-- [end:parts]

// --8<-- [start:host]
// ホストの配列 x の n 個を畳む。foldBlocks は、要素を畳んで、ブロックごとの答えを書くカーネル
template <class Op>
typename Op::Value fold(void (*foldBlocks)(const float*, typename Op::Value*, int), const float* x, int n) {
    int blocks = gridSize(foldBlocks, n);  // n = 0 でも 1 ブロックは起動する
    book::Array<float> x_dev(x, n);
    book::Array<typename Op::Value> part_dev(blocks), out_dev(1);  // part_dev は 1 ブロックに 1 個

    book::timerStart();
    foldBlocks<<<blocks, kBlock>>>(x_dev, part_dev, n);
    CHECK(cudaGetLastError());
    foldParts<Op><<<1, kBlock>>>(part_dev, out_dev, blocks);
    CHECK(cudaGetLastError());
    book::timerStop();
    return out_dev.first();
}
// --8<-- [end:host]
