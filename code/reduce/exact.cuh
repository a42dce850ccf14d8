// 正確な総和: 端数を捨てずに足し、1 度だけ、いちばん近い数に丸める。並べ方にもブロックの数にもよらず、同じビットになる
// このファイルだけで使える (CUDA ランタイム、C++17、sm_75 から)。仕組みはこの本の 5.13 にある
//
//     size_t bytes;
//     reduce::exactSum(nullptr, bytes, in, out, n, stream);    // 作業領域の大きさを聞く
//     cudaMalloc(&workspace, bytes);
//     reduce::exactSum(workspace, bytes, in, out, n, stream);  // in の n 個の合計を、*out に書く
//
// in と out はデバイスにあり、in の要素は float、double、__half、__nv_bfloat16 のどれかである。
// out は、double の合計なら double、ほかは float か double。-ftz=true や -use_fast_math を付けてはならない
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace reduce {

// --8<-- [start:digits]
// 合計を、位の整数で持つ。位 k の 1 は 2^(bits k - offset)。ワープのレーン l が、位 l、l + 32、… を 1 行に 1 つ持つ
// 途中の位は、負でも、2^bits より大きくてもよい
template <int rows, int bits, int offset> struct Digits {
    static constexpr int kRows = rows, kBits = bits;
    static constexpr int kTop = 32 * rows - 2;  // いちばん上の位。合計の符号もここに残る
    static constexpr int kOdd = 32 * rows - 1;  // ここだけは位でなく、見たものを覚える: 1 は ∞、2 は -∞、両方は非数
    static constexpr int kWords = 32 * rows + 1;  // デバイスに置く語: 位の分と、着いたブロックを数える札
    long long d[rows] = {};

    static __device__ int at(int row) { return 32 * row + int(threadIdx.x % 32); }

    // 2^bits を超えた分を、1 つ上の位へ渡す。負の位には、上から借りる。残りは -bias 以上 2^bits - bias 未満
    __device__ void carry(long long bias = 0) {
        long long last = 0;  // 前の行のレーン 31 が渡すもの
        for (int r = 0; r < rows; r++) {
            const long long over = (d[r] + bias) >> bits;
            const long long up = __shfl_sync(0xffffffffu, over, (threadIdx.x + 31) % 32);
            if (at(r) < kTop) d[r] -= over << bits;
            if (at(r) <= kTop) d[r] += threadIdx.x % 32 > 0 ? up : last;
            last = up;
        }
    }
    // 渡すものがなくなるまで繰り返す
    __device__ void carryAll(long long bias) {
        const auto full = [&] {
            bool any = false;
            for (int r = 0; r < rows; r++) any |= at(r) < kTop && (d[r] + bias) >> bits != 0;
            return any;
        };
        while (__any_sync(0xffffffffu, full())) carry(bias);
    }
    // --8<-- [end:digits]

    // 非数のビットも、どこでも同じにする
    template <class Out> static __device__ Out nan() {
        if constexpr (sizeof(Out) == 4) return __int_as_float(0x7fc00000);
        else return __longlong_as_double(0x7ff8000000000000);
    }
    // 位 k の値を、ワープの全員に返す。いちばん下の位より下は 0
    __device__ long long digit(int k) const {
        long long v = 0;
        for (int r = 0; r < rows; r++) {
            const long long given = __shfl_sync(0xffffffffu, d[r], k % 32);
            if (k >= 0 && k / 32 == r) v = given;
        }
        return v;
    }

    // いちばん上の 0 でない位。全部 0 なら -1
    __device__ int highest() const {
        int top = -1;
        for (int r = 0; r < rows; r++) {
            const unsigned used = __ballot_sync(0xffffffffu, at(r) <= kTop && d[r] != 0);
            if (used) top = 32 * r + 31 - __clz(used);
        }
        return top;
    }

    // --8<-- [start:round]
    // 合計に、いちばん近い Out の数。ちょうど真ん中なら、偶数の方 (ワープの全員に返す)
    template <class Out> __device__ Out round() {
        const long long odd = digit(kOdd);
        if (odd) return odd == 1 ? Out(INFINITY) : odd == 2 ? -Out(INFINITY) : nan<Out>();
        // 先に、位を -2^(bits - 1) 以上 2^(bits - 1) 未満にそろえる。いちばん上の位まで、借りが走ることはない。
        // 0 でない、いちばん上の位の符号が、合計の符号になる
        carryAll(1LL << (bits - 1));
        int top = highest();
        if (top < 0) return 0;  // 打ち消し合えば +0
        const bool negative = digit(top) < 0;
        for (int r = 0; r < rows; r++) d[r] = negative ? -d[r] : d[r];
        carryAll(0);  // どの位も、0 以上 2^bits 未満になる
        top = highest();
        unsigned long long m = 0;
        int k = top;
        for (; k > top - 64 / bits; k--) m = m << bits | digit(k);  // 上の 64 ビット
        const int shift = __clzll(m), rest = bits - shift;  // 先頭の 0 を詰め、次の位の上の方を入れる
        const long long next = digit(k);
        m = m << shift | next >> rest;
        bool below = next & ((1LL << rest) - 1);
        for (int r = 0; r < rows; r++) below |= at(r) < k && d[r] != 0;
        if (__any_sync(0xffffffffu, below)) m |= 1;  // もっと下に 0 でないビットがあれば、真ん中ではない
        // 64 ビットを、いちばん近い Out に。丸めるのは、この 1 度だけである。2 のべき乗を掛けても、もう丸めない
        const Out size = std::ldexp(Out(m), bits * (k + 1) - offset - shift);
        return negative ? -size : size;
    }
    // --8<-- [end:round]

    // --8<-- [start:finish]
    // ブロックの位をグリッドで足し、最後に着いたブロックが丸めて *out に書く。ワープ 0 が呼ぶ
    // words は初めに 0 にしておく。out がなければ、words に足すだけである
    template <class Out> __device__ void finish(unsigned long long* words, Out* out) {
        if (!out || gridDim.x > 1) {  // 整数の足し算は、どの順に着いても同じ
            for (int r = 0; r < rows; r++) {
                if (d[r] && at(r) == kOdd) atomicOr(&words[kOdd], d[r]);
                else if (d[r]) atomicAdd(&words[at(r)], d[r]);
            }
            if (!out) return;
            __threadfence();
            __syncwarp();  // 全員の位が届いてから、札を取る
            unsigned long long ticket = threadIdx.x == 0 ? atomicAdd(&words[kWords - 1], 1) : 0;
            if (__shfl_sync(0xffffffffu, ticket, 0) < gridDim.x - 1) return;
            __threadfence();
            __syncwarp();  // 札を見たスレッド 0 の後に、全員が位を取る
            for (int r = 0; r < rows; r++) d[r] = atomicExch(&words[at(r)], 0);  // 取ると同時に、次のために 0 に戻す
            if (threadIdx.x == 0) words[kWords - 1] = 0;
        }
        const Out v = round<Out>();
        if (threadIdx.x == 0) *out = v;
    }
    // --8<-- [end:finish]
};

// --8<-- [start:column]
// 型ごとの決まり。どのスレッドも、自分だけの kBins 個の箱を、ブロックの共有メモリに持つ
template <class In> struct Columns;

template <> struct Columns<float> {
    using Sum = Digits<1, 16, 150>;  // float は、どれも 2^-149 の倍数
    using Bin = double;
    static constexpr int kBins = 16;  // 指数の 8 ビットのうち、上の 4 ビットで選ぶ
    static constexpr int kBlock = 256;  // 1 スレッドの箱は 128 バイトなので、1 ブロックの共有メモリは 32 KiB
    static constexpr int kPerSm = 4;  // SM に載せるブロックの数
    static constexpr int kMost = 4096;  // 1 つの箱に足せる個数
    static constexpr int kLoads = 4;  // 1 スレッドが、1 タイルから読む 16 バイトの数
    static constexpr int kTogether = 1;  // 箱に入れる前に、まとめて足しておく個数
    static constexpr bool kAhead = false;  // 16 バイトを箱に入れる前に、次のタイルの分を頼む

    static __device__ float value(float x) { return x; }

    // 箱 k の初めの値: 1.5 × 2^52 に 2^(16k - 150) を掛けた数。仮数の 1 が位 k の 1 になる。
    // 上にも下にも 2^51 個分の余りがある
    static __device__ double base(int k) { return __longlong_as_double((925LL + 16 * k) << 52 | 1LL << 51); }

    // x を、自分の列の箱に足す。base から始まる箱は、仮数の 1 の重さが変わらないので、丸めない
    static __device__ void put(double* bins, float x) {
        bins[(__float_as_uint(x) >> 27) % 16 * kBlock + threadIdx.x] += double(x);
    }
    // 箱から、足した分の整数を取り出す: ビットの差である
    static __device__ long long taken(int k, double bin) {
        return __double_as_longlong(bin) - __double_as_longlong(base(k));
    }
    static __device__ int odd(int, double bin) { return isfinite(bin) ? 0 : bin > 0 ? 1 : bin < 0 ? 2 : 3; }
    // ∞ も非数も、足せば箱に残るので、ほかに見るものはない
    static __device__ int high(float) { return 0; }
    static __device__ void mark(double*, float) {}
};
// --8<-- [end:column]

// --8<-- [start:types]
// bfloat16 は、float の上の 16 ビットである
template <> struct Columns<__nv_bfloat16> : Columns<float> {
    static __device__ float value(__nv_bfloat16 x) { return __bfloat162float(x); }
};

// half は、どれも 2^-24 の倍数で、2^16 より小さい。40 ビットなので、どれも同じ箱に入る
template <> struct Columns<__half> : Columns<float> {
    using Sum = Digits<1, 16, 24>;
    static constexpr int kBins = 1, kPerSm = 8, kMost = 2048, kTogether = 8;
    static constexpr bool kAhead = true;
    static __device__ double value(__half x) { return double(__half2float(x)); }
    static __device__ double base(int) { return 0x1.8p+28; }  // 1.5 × 2^52 × 2^-24
    static __device__ void put(double* bins, double x) { bins[threadIdx.x] += x; }
    static __device__ long long taken(int k, double bin) {
        return __double_as_longlong(bin) - __double_as_longlong(base(k));
    }
};

// double は 53 ビットなので、double の箱には余りがない。整数の箱を使い、2^32 ごとの位に分けて足す
template <> struct Columns<double> {
    using Sum = Digits<3, 32, 1075>;
    using Bin = long long;
    static constexpr int kOddBin = 65;  // 箱 0 から 64 が数、これは見たもの
    static constexpr int kBins = 66, kBlock = 64, kPerSm = 6, kMost = 2048, kLoads = 8, kTogether = 1;
    static constexpr bool kAhead = true;  // 箱が大きく、SM に載るスレッドが少ない
    static __device__ double value(double x) { return x; }
    static __device__ long long base(int) { return 0; }
    static __device__ void put(long long* bins, double x) {
        const int b = __double2hiint(x), e = b >> 20 & 2047, place = e > 0 ? e : 1, sign = b >> 31;
        const int size = (b & 0xfffff) | (e > 0 ? 1 << 20 : 0);  // 仮数の上の 21 ビット
        const long long m = (((long long)size << 32 | unsigned(__double2loint(x))) ^ sign) - sign;
        // m を箱の中の位置にずらすと、84 ビットになる。下の 32 ビットと、上の 52 ビットを、隣り合う箱に足す
        long long* bin = bins + place / 32 * kBlock + threadIdx.x;
        const long long low = bin[0] + (unsigned(m) << place % 32), high = bin[kBlock] + (m >> (32 - place % 32));
        bin[0] = low, bin[kBlock] = high;
    }
    // ∞ と非数は、数の箱に何を足してもよい。見たことを覚えれば、合計はそれだけで決まる
    static __device__ int high(double x) { return __double2hiint(x) & 0x7fffffff; }
    static __device__ void mark(long long* bins, double x) {
        if (high(x) >= 0x7ff00000) bins[kOddBin * kBlock + threadIdx.x] |= x > 0 ? 1 : x < 0 ? 2 : 3;
    }
    static __device__ long long taken(int k, long long bin) { return k == kOddBin ? 0 : bin; }
    static __device__ int odd(int k, long long bin) { return k == kOddBin ? int(bin) : 0; }
};
// --8<-- [end:types]

// ワープの 32 レーンの合計を、全員に返す
__device__ inline long long sumWarp(long long v) {
#if __CUDA_ARCH__ >= 800
    unsigned long long total = 0;  // 専用の命令は 32 ビットなので、27 ビットずつ足す
    for (int shift = 0; shift < 64; shift += 27) {
        const unsigned part = unsigned((unsigned long long)v >> shift) % (1u << 27);
        total += (unsigned long long)__reduce_add_sync(0xffffffffu, part) << shift;
    }
    return (long long)total;
#else
    for (int stride = 16; stride > 0; stride /= 2) v += __shfl_xor_sync(0xffffffffu, v, stride);
    return v;
#endif
}

// --8<-- [start:drain]
// ブロックの全員の列を足して、初めの値に戻す。箱 k の合計を、下の bits ビットは位 k に、上は位 k + 1 に加える
template <class In> __device__ void drain(typename Columns<In>::Bin* bins, typename Columns<In>::Sum& sum) {
    using C = Columns<In>;
    using S = typename C::Sum;
    __shared__ long long low[S::kWords], high[S::kWords];  // high[k] は、位 k に渡す分
    __shared__ unsigned odd;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == S::kOdd % 32) odd = 0;  // 前に読んだ人が消す: 読む前に消えることがない
    for (int k = lane; k < S::kWords && warp == 0; k += 32) low[k] = high[k] = 0;
    __syncthreads();
    for (int k = warp; k < C::kBins; k += C::kBlock / 32) {
        long long below = 0, above = 0;
        unsigned seen = 0;
        for (int t = lane; t < C::kBlock; t += 32) {
            auto& bin = bins[k * C::kBlock + t];
            const long long v = C::taken(k, bin);
            below += v & ((1LL << S::kBits) - 1), above += v >> S::kBits;
            seen |= C::odd(k, bin);
            bin = C::base(k);
        }
        if (seen) atomicOr(&odd, seen);
        below = sumWarp(below), above = sumWarp(above);
        if (lane == 0) low[k] = below, high[k + 1] = above;
    }
    __syncthreads();
    for (int r = 0; r < S::kRows && warp == 0; r++) {
        const int k = S::at(r);
        sum.d[r] = k == S::kOdd ? sum.d[r] | odd : sum.d[r] + low[k] + high[k];
    }
}
// --8<-- [end:drain]

// --8<-- [start:kernel]
template <class In, class Out>
__global__ void __launch_bounds__(Columns<In>::kBlock)
    sumColumns(const In* __restrict__ in, unsigned head, unsigned tiles, unsigned rest, Out* out,
               unsigned long long* words) {
    using C = Columns<In>;
    constexpr int kLength = 16 / sizeof(In);
    constexpr unsigned kValues = C::kLoads * kLength;  // 1 スレッドが、1 タイルから受け取る個数
    constexpr unsigned kTiles = C::kMost / kValues - 2;  // 両端の半端は、1 人に多くても kValues + 1 個である
    // スレッド tid の箱 k は bins[k * C::kBlock + tid]: バンクは競合しない
    __shared__ typename C::Bin bins[C::kBins * C::kBlock];
    const unsigned tid = threadIdx.x;
    const uint4* body = reinterpret_cast<const uint4*>(in + head) + tid;
    const auto at = [&](unsigned t, int k) { return body + size_t(t) * (C::kBlock * C::kLoads) + k * C::kBlock; };
    uint4 q[C::kLoads];
    unsigned t = blockIdx.x, left = kTiles;
    for (int k = 0; k < C::kLoads && t < tiles; k++) q[k] = *at(t, k);  // 届くのを待つ間に、箱を用意する
    for (int k = 0; k < C::kBins; k++) bins[k * C::kBlock + tid] = C::base(k);
    typename C::Sum sum;
    while (t < tiles) {
        const unsigned now = t;
        In x[kValues];
        memcpy(x, q, sizeof x);
        t += gridDim.x;
        if (C::kAhead) {
            for (int k = 0; k < C::kLoads; k++) q[k] = __ldcg(at(t < tiles ? t : now, k));  // 終わりは、読んで捨てる
            __syncwarp();  // ふつうの読み出しなら、コンパイラは、これを越えて後に回す
        }
        int high = 0;
        for (int i = 0; i < int(kValues); i += C::kTogether) {
            auto v = C::value(x[i]);
            for (int j = 1; j < C::kTogether; j++) v += C::value(x[i + j]);
            C::put(bins, v);
            high = ::max(high, C::high(v));
        }
        for (int k = 0; k < C::kLoads && !C::kAhead && t < tiles; k++) q[k] = *at(t, k);
        if (high >= 0x7ff00000)  // めったにないので、読み直して、1 個ずつ調べる
            for (int i = 0; i < int(kValues); i++)
                C::mark(bins, C::value(reinterpret_cast<const In*>(at(now, i / kLength))[i % kLength]));
        if (--left == 0) drain<In>(bins, sum), left = kTiles;  // 箱があふれる前に、位に移す
    }
    if (t == tiles) {  // 次のタイルに当たるブロックは、両端の半端も足す
        const In* last = in + head + size_t(tiles) * (C::kBlock * kValues);
        const auto one = [&](In x) {
            C::mark(bins, C::value(x));
            C::put(bins, C::value(x));
        };
        for (unsigned k = tid; k < rest; k += C::kBlock) one(last[k]);
        if (tid < head) one(in[tid]);
    }
    drain<In>(bins, sum);
    if (tid < 32) sum.finish(words, out);
}
// --8<-- [end:kernel]

// --8<-- [start:launch]
// in の n 個の正確な合計を丸めて *out に書く。words は Columns<In>::Sum::kWords 語で、初めに 1 度だけ 0 にする
template <class In, class Out>
cudaError_t exactAsync(const In* in, size_t n, Out* out, unsigned long long* words, int blocks, cudaStream_t stream) {
    static_assert(std::is_same_v<Out, double> || (std::is_same_v<Out, float> && sizeof(In) < 8), "Out が狭い");
    using C = Columns<In>;
    constexpr size_t kTile = size_t(C::kBlock) * C::kLoads * 16 / sizeof(In);
    const unsigned head = unsigned(std::min(n, size_t(-reinterpret_cast<uintptr_t>(in) % 16 / sizeof(In))));
    const unsigned tiles = unsigned((n - head) / kTile), rest = unsigned((n - head) % kTile);
    const unsigned grid = std::max(1u, std::min(tiles, unsigned(blocks)));
    sumColumns<<<grid, C::kBlock, 0, stream>>>(in, head, tiles, rest, out, words);
    return cudaGetLastError();
}

template <class In, class Out>
cudaError_t exactSum(void* workspace, size_t& bytes, const In* in, Out* out, size_t n, cudaStream_t stream = 0) {
    using C = Columns<In>;
    constexpr size_t kBytes = C::Sum::kWords * sizeof(unsigned long long);
    if (!workspace) return bytes = kBytes, cudaSuccess;
    if (bytes < kBytes || !out || (n && !in)) return cudaErrorInvalidValue;
    int device = 0, sms = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (!error) error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (!error) error = cudaMemsetAsync(workspace, 0, kBytes, stream);
    if (error) return error;
    return exactAsync(in, n, out, static_cast<unsigned long long*>(workspace), sms * C::kPerSm, stream);
}
// --8<-- [end:launch]

}  // namespace reduce
