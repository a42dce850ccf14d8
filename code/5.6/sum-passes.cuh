// 5.6 のホスト側。5.4 の sum を、カーネルと要素の型を選べるように書き直した
#pragma once
#include "book.cuh"

// --8<-- [start:host]
// x の n 個の合計。sumBlocks の部分和を、1 個になるまで、同じ sumBlocks でまた合計する
template <int kBlock, class Kernel, class T> T sumPasses(Kernel sumBlocks, const T* x, int n) {
    if (n == 0) return 0;
    book::Array<T> x_dev(x, n), part_dev((n - 1) / (2 * kBlock) + 1);  // 部分和は 1 ブロックに 1 個

    book::timerStart();
    for (int len = n; len > 1;) {
        int blocks = (len - 1) / (2 * kBlock) + 1;  // len / (2 * kBlock) の切り上げ
        sumBlocks<<<blocks, kBlock>>>(x_dev, part_dev, len);
        CHECK(cudaGetLastError());
        std::swap(x_dev.data, part_dev.data);
        len = blocks;
    }
    book::timerStop();
    return x_dev.first();
}
// --8<-- [end:host]
