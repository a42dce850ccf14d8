// 5.10 の部品。5.6 の 3-shuffle の畳み方を、演算子を受け取るように書き直した
#pragma once
#include <cstring>

#include "operators.cuh"

// --8<-- [start:parts]
// stride だけ後ろのレーンの v を受け取る。組は、そのままではシャッフルで渡せないので、4 バイトずつ渡す
template <class Value> __device__ Value shuffleDown(Value v, int stride) {
    static_assert(sizeof(Value) % sizeof(unsigned) == 0, "組の大きさは 4 バイトの倍数");
    unsigned words[sizeof(Value) / sizeof(unsigned)];
    memcpy(words, &v, sizeof v);
    for (unsigned& word : words) word = __shfl_down_sync(0xffffffffu, word, stride);
    memcpy(&v, words, sizeof v);
    return v;
}

// ブロックの全員の v を op で畳む。答えを受け取るのはスレッド 0 だけ。スレッドの数は 32 の倍数
template <class Op> __device__ typename Op::Value foldBlock(typename Op::Value v) {
    __shared__ typename Op::Value smem[32];  // ワープに 1 個。ワープは 1 ブロックに 32 個まで
    Op op;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int stride = 16; stride > 0; stride /= 2) v = op(v, shuffleDown(v, stride));
    if (lane == 0) smem[warp] = v;  // ワープの答えを持つのはレーン 0 だけ
    __syncthreads();

    if (warp == 0) {
        v = lane < int(blockDim.x) / 32 ? smem[lane] : op.identity();
        for (int stride = 16; stride > 0; stride /= 2) v = op(v, shuffleDown(v, stride));
    }
    return v;
}
// --8<-- [end:parts]
