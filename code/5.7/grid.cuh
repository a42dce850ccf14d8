// 5.7 のホスト側。1-grid-stride の sum を、ブロックの数を決めるところと、2 回起動するところに分けた。5.8 も使う
#pragma once
#include "book.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");

// --8<-- [start:grid]
// デバイスに同時に載るブロックの数。要素のないブロックは要らない
template <class Kernel> int gridSize(Kernel kernel, int n) {
    int sms, perSm;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, kernel, kBlock, 0));
    return std::min((n - 1) / kBlock + 1, sms * perSm);
}

// x の n 個の合計。部分和は少ないので、2 回目の起動は 1 ブロックで足りる
template <class Kernel> float sumTwoLaunches(Kernel sumBlocks, const float* x, int n) {
    if (n == 0) return 0;
    int blocks = gridSize(sumBlocks, n);
    book::Array<float> x_dev(x, n), part_dev(blocks), out_dev(1);  // 部分和は 1 ブロックに 1 個

    book::timerStart();
    sumBlocks<<<blocks, kBlock>>>(x_dev, part_dev, n);
    CHECK(cudaGetLastError());
    sumBlocks<<<1, kBlock>>>(part_dev, out_dev, blocks);
    CHECK(cudaGetLastError());
    book::timerStop();
    return out_dev.first();
}
// --8<-- [end:grid]
