// 5.5 の 3-compact-ballot と 4-compact-shared の部品。2-compact-atomic の 2 つ目のカーネルと、ホスト側
#pragma once
#include "simulate.cuh"

// --8<-- [start:parts]
// 詰めた番号の粒子だけを動かし、結果を元の場所に書く
__global__ void moveParticles(const float* in, float* out, const int* indices, const int* count, int iterations) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= *count) return;  // count はデバイスにあり、ホストは起動のときに知らない
    int i = indices[k];
    out[i] = simulate(in[i], iterations);
}

// カーネル compact で番号を詰めてから、動かす
template <int kBlock, class Kernel>
void compactAndMove(Kernel compact, const float* in, float* out, int n, float threshold, int iterations) {
    if (n == 0) return;
    book::Array<float> in_dev(in, n), out_dev(n);
    book::Array<int> indices(n), count(1);  // indices は、全部の粒子が残っても足りる大きさ

    book::timerStart();
    const int blocks = (n + kBlock - 1) / kBlock;
    CHECK(cudaMemset(count, 0, sizeof(int)));  // 0 にする時間も、詰める時間も、測る時間に含める
    compact<<<blocks, kBlock>>>(in_dev, out_dev, n, threshold, indices, count);
    CHECK(cudaGetLastError());
    moveParticles<<<blocks, kBlock>>>(in_dev, out_dev, indices, count, iterations);  // 余りはすぐ終わる
    CHECK(cudaGetLastError());
    book::timerStop();
    out_dev.copyTo(out, n);
}
// --8<-- [end:parts]
