// 5.8 の部品。5.7 の 4-unaligned を、読むところと畳むところに分けた。5.9 の 1-envelope も使う
#pragma once
#include "../5.7/grid.cuh"

// --8<-- [start:parts]
// in の n 個を blocks 個のブロックで分け、このスレッドの受け持ちを足す (5.7 の 4-unaligned の前半)
__device__ float sumThread(const float* in, int n, unsigned blocks) {
    constexpr int kLoads = 4;  // 1 スレッドが、前の答えを待たずに頼む読み出しの数
    constexpr unsigned kSector = 8;  // 32 バイトは float 8 個。メモリはこの単位で運ばれる
    unsigned grid = blocks * blockDim.x;  // 読むスレッドの数。i + grid は int を超えることがある
    unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;  // その中での自分の番号
    float p[kLoads] = {};  // 足す先も分ける。効くかどうかは、5.7 の本文で測る
    unsigned past = reinterpret_cast<uintptr_t>(in) / sizeof(float) % kSector;  // 前の境界から何個過ぎているか
    unsigned head = (kSector - past) % kSector;  // 次の境界までの個数
    head = head < unsigned(n) ? head : unsigned(n);  // 境界に届かないこともある
    const float4* in4 = reinterpret_cast<const float4*>(in + head);
    unsigned n4 = (n - head) / 4, i = rank;
    for (; i + (kLoads - 1) * grid < n4; i += kLoads * grid) {
        for (int k = 0; k < kLoads; k++) {
            float4 q = in4[i + k * grid];
            p[k] += (q.x + q.y) + (q.z + q.w);
        }
    }
    for (; i < n4; i += grid) {
        float4 q = in4[i];
        p[0] += (q.x + q.y) + (q.z + q.w);
    }
    unsigned tail = head + 4 * n4;  // ここから後ろが終わりの半端
    if (rank < head) p[0] += in[rank];
    if (rank < unsigned(n) - tail) p[0] += in[tail + rank];
    float v = 0;
    for (int k = 0; k < kLoads; k++) v += p[k];
    return v;
}

// ブロックの全員の v を足す。合計を受け取るのはスレッド 0 だけ (5.7 の 4-unaligned の後半)
__device__ float sumBlock(float v) {
    __shared__ float smem[32];  // ワープに 1 個。ワープは 1 ブロックに 32 個まで
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int stride = 16; stride > 0; stride /= 2) v += __shfl_down_sync(0xffffffffu, v, stride);
    if (lane == 0) smem[warp] = v;  // ワープの合計を持つのはレーン 0 だけ
    __syncthreads();

    if (warp == 0) {
        v = lane < kBlock / 32 ? smem[lane] : 0;
        for (int stride = 16; stride > 0; stride /= 2) v += __shfl_down_sync(0xffffffffu, v, stride);
    }
    return v;
}
// --8<-- [end:parts]
