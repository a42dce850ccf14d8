// 5.13 の位取り: 正確な合計を、2^16 ごとの位の整数で持つ。繰り上げて、終わりに 1 度だけ丸める
#pragma once
#include "book.cuh"

// --8<-- [start:digits]
// 位 k の 1 は 2^(16k - 150)。float は、どれも 2^-149 の倍数なので、どんな float の合計も、端数なしで書ける
// ワープのレーン k が、位 k を持つ。途中の位は、負でも、2^16 より大きくてもよい
constexpr int kBins = 16;  // float が直に入る位の数: 指数の 8 ビットのうち、上の 4 ビットで選ぶ
constexpr int kTop = 30;   // いちばん上の位。合計の符号もここに残る
constexpr int kOdd = 31;   // このレーンだけは位でなく、見たものを覚える: 1 は ∞、2 は -∞、両方のビットは非数
constexpr int kWords = 33;  // デバイスに置く語: 32 レーンの分と、着いたブロックを数える札

// 2^16 を超えた分を、1 つ上の位へ渡す。負の位には、上から借りる
__device__ long long carry(long long d) {
    const int lane = threadIdx.x % 32;
    const long long up = __shfl_up_sync(0xffffffffu, d >> 16, 1);
    if (lane < kTop) d &= 0xffff;
    return 0 < lane && lane <= kTop ? d + up : d;
}
// どの位も 0 以上 2^16 未満になるまで繰り返す。いちばん上の位だけは、負のことがある
__device__ long long carryAll(long long d) {
    while (__any_sync(0xffffffffu, threadIdx.x % 32 < kTop && d >> 16 != 0)) d = carry(d);
    return d;
}
// --8<-- [end:digits]

// --8<-- [start:round]
// 合計に、いちばん近い float。ちょうど真ん中なら、偶数の方 (ワープの全員に返す)
__device__ float roundDigits(long long d) {
    const int lane = threadIdx.x % 32;
    const int odd = int(__shfl_sync(0xffffffffu, d, kOdd));
    if (odd) return __int_as_float(odd == 1 ? 0x7f800000 : odd == 2 ? 0xff800000 : 0x7fc00000);
    d = carryAll(d);
    const bool negative = __shfl_sync(0xffffffffu, d, kTop) < 0;
    if (negative) d = carryAll(-d);
    const unsigned used = __ballot_sync(0xffffffffu, lane != kOdd && d != 0);
    if (used == 0) return 0;  // 打ち消し合えば +0
    const int top = 31 - __clz(used), low = top < 2 ? 0 : top - 2;
    long long m = 0;  // 上の 3 つの位。33 ビットより多いので、float の 24 ビットの下に、丸めを決めるビットが残る
    for (int k = top; k >= low; k--) m = m << 16 | __shfl_sync(0xffffffffu, d, k);
    if (used & ((1u << low) - 1)) m |= 1;  // もっと下に 0 でない位があれば、真ん中ではないと分かればよい
    const double scale = __longlong_as_double((1023LL + 16 * low - 150) << 52);  // 2^(16 low - 150)
    return float((negative ? -m : m) * scale);  // double には正確に入る。丸めるのは、float にする 1 度だけ
}
// --8<-- [end:round]

// --8<-- [start:finish]
// ブロックの位をグリッドで足し、最後に着いたブロックが丸めて *out に書く。ワープ 0 が呼ぶ
// words は初めに 0 にしておく。out がなければ、words に足すだけである
__device__ void finish(long long d, unsigned long long* words, float* out) {
    const int lane = threadIdx.x % 32;
    if (!out || gridDim.x > 1) {  // 整数の足し算は、どの順に着いても同じ
        if (d && lane == kOdd) atomicOr(&words[lane], d);
        else if (d) atomicAdd(&words[lane], d);
        if (!out) return;
        __threadfence();
        __syncwarp();  // 全員の位が届いてから、札を取る
        unsigned long long ticket = lane == 0 ? atomicAdd(&words[32], 1) : 0;
        if (__shfl_sync(0xffffffffu, ticket, 0) < gridDim.x - 1) return;
        __threadfence();
        d = atomicExch(&words[lane], 0);  // 取ると同時に、次の起動のために 0 に戻す
        if (lane == 0) words[32] = 0;
    }
    const float v = roundDigits(d);
    if (lane == 0) *out = v;
}
// --8<-- [end:finish]
