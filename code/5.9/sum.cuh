// 5.9 の総和。どの型でも、どの長さでも、1 度の起動で足す。2-fastest と 4-compare と 5-error が使う
// 5.8 との違いは 3 つ: 部分和を旗と同じ語で渡す。長さに合わせてブロックを選ぶ。ブロックの中の足並みをそろえる
#pragma once
#include "book.cuh"

// --8<-- [start:names]
constexpr int kVectorBytes = 16;  // 1 スレッドが 1 命令で読めるバイト数の最大
constexpr int kLoads = 4;         // 1 スレッドが、前の答えを待たずに頼む読み出しの数
constexpr unsigned kNoTile = ~0u;  // 読まないブロックの、初めのタイル。どのタイルの番号より大きい
// 512 スレッドで SM が満員 (2048) になる数。SM に同じ数ずつでないと、2^33 バイトで最大 0.6 % 遅い
constexpr int kBlocksPerSm = 4;

using Vector = uint4;
using Word = unsigned long long;  // 1 度のアトミック演算で渡す語。16 バイトの語 (Hopper) に替えても、速くならない
template <class In> using Sum = std::conditional_t<(sizeof(In) < 4), float, In>;  // half は float で足す
// --8<-- [end:names]

// --8<-- [start:fold]
// n 個のレジスタを半分に畳むことを繰り返す (5.2 の畳み込み)。n は 2 のべき乗。
// 再帰なのは、添字をコンパイル時に決めるため。決まらないと v がローカルメモリに落ち、1 ブロックでも 2 µs 遅い
template <int n, class T> __device__ T fold(T* v) {
    for (int k = 0; k < n / 2; k++) v[k] += v[k + n / 2];
    if constexpr (n > 2) return fold<n / 2>(v);
    return v[0];
}

// 16 バイトに入っている 2 個から 8 個を足す
template <class In> __device__ Sum<In> sumVector(Vector q) {
    constexpr int n = kVectorBytes / sizeof(In);
    In in[n];
    memcpy(in, &q, sizeof q);
    Sum<In> p[n];
    for (int k = 0; k < n; k++) p[k] = Sum<In>(in[k]);
    return fold<n>(p);
}
// --8<-- [end:fold]

// --8<-- [start:warp]
// ワープの 32 レーンの合計を、全員に返す。整数は専用の命令が速い (シャッフル 5 回より 0.05 µs)
template <class T> __device__ T sumWarp(T v) {
    if constexpr (!std::is_integral_v<T>) {
        for (int stride = 16; stride > 0; stride /= 2) v += __shfl_xor_sync(0xffffffffu, v, stride);
        return v;
    } else if constexpr (sizeof(T) == 4) {
        return __reduce_add_sync(0xffffffffu, v);
    } else {  // 27 ビットずつなら、32 個の合計が 32 ビットに収まる
        Word total = 0;
        for (int shift = 0; shift < 64; shift += 27)
            total += Word(__reduce_add_sync(0xffffffffu, unsigned(Word(v) >> shift) % (1u << 27))) << shift;
        return T(total);
    }
}
// --8<-- [end:warp]

// --8<-- [start:give]
// 浮動小数点数: 値を 32 ビットずつ、旗 (上位の 1) と同じ語で渡す。
// 1 語のアトミック演算なので、旗が見えれば値も見えている。だから __threadfence() は要らない
template <class T> __device__ void give(Word* slot, T v) {
    unsigned bits[sizeof(T) / 4];
    memcpy(bits, &v, sizeof v);
    for (int k = 0; k < int(sizeof(T) / 4); k++) atomicExch(&slot[k], Word(1) << 32 | bits[k]);
}
template <class T> __device__ T take(Word* slot) {
    Word word[sizeof(T) / 4] = {};
    for (bool full = false; !full;) {
        full = true;
        for (int k = 0; k < int(sizeof(T) / 4); k++) {
            word[k] |= atomicExch(&slot[k], 0);  // 取ると同時に、次の起動のために空に戻す
            full &= word[k] != 0;
        }
    }
    unsigned bits[sizeof(T) / 4];
    for (int k = 0; k < int(sizeof(T) / 4); k++) bits[k] = unsigned(word[k]);
    T v;
    memcpy(&v, bits, sizeof v);
    return v;
}
// --8<-- [end:give]

// --8<-- [start:arrive]
// 整数: 32 ビットずつ、語 (合計 << 20 | 着いた数) に足す。最後に着いた人が全部の合計を知る。
// 足す順番で答えが変わらないからできることで、待つ人がいないので 0.2 から 0.4 µs 速い。
// 8 バイトの型ではスレッド 0 と 1 が呼び、下と上の 32 ビットを受け持つ。blocks は 4096 以下
template <class T> __device__ void arrive(Word* slots, T v, unsigned blocks, T* out) {
    const unsigned tid = threadIdx.x;
    const Word mine = Word(unsigned(Word(v) >> 32 * tid)) << 20 | 1, all = atomicAdd(&slots[tid], mine) + mine;
    const bool last = all % (1 << 20) == blocks;
    if (last) atomicAnd(&slots[tid], 0);  // 次の起動のために空に戻す。値を受け取る atomicExch より 0.2 µs 速い
    if constexpr (sizeof(T) == 4) {
        if (last) *out = T(all >> 20);
    } else {
        const Word other = __shfl_xor_sync(3u, last ? all : 0, 1);  // ふつうは同じブロックが両方の最後に着く
        if (!last || (other && tid == 1)) return;
        // 別のブロックなら、先の方が置いて去り、後の方が取る
        const Word partner = other ? other : atomicExch(&slots[2], all);
        if (partner) *out = T((all >> 20 << 32 * tid) + (partner >> 20 << 32 * (1 - tid)));
        if (partner && !other) atomicAnd(&slots[2], 0);
    }
}
// --8<-- [end:arrive]

// --8<-- [start:block]
// 読む: in の head 個の後の 16 バイト境界から、タイルが tiles 個、半端が rest 個ある。
// タイル t から step おきに、このスレッドの受け持ちを足す。次のタイルに当たるブロックは、両端の半端も足す
template <class In, int kBlock>
__device__ Sum<In> sumShare(const In* __restrict__ in, unsigned head, unsigned tiles, unsigned rest, unsigned t,
                            unsigned step) {
    constexpr int kLength = kVectorBytes / sizeof(In);
    const unsigned tid = threadIdx.x;
    const Vector* body = reinterpret_cast<const Vector*>(in + head) + tid;
    Sum<In> v = 0;
    while (t < tiles) {
        Vector q[kLoads];  // 足す前に、全部の読み出しを頼む
        for (int k = 0; k < kLoads; k++) q[k] = body[size_t(t) * (kBlock * kLoads) + k * kBlock];
        Sum<In> p[kLoads];
        for (int k = 0; k < kLoads; k++) p[k] = sumVector<In>(q[k]);
        v += fold<kLoads>(p);
        t += step;
        if (t < tiles) __syncthreads();  // 先に行くワープを待たせる。理由は確かめていないが、2^33 バイトで 1 % 速い
    }
    if (t == tiles && head + rest > 0) {
        const In* edge = in + head + size_t(tiles) * (kBlock * kLoads * kLength) + rest / kLength * kLength;
        Vector q[kLoads];
        for (unsigned k = 0; k < kLoads; k++)
            q[k] = tid + k * kBlock < rest / kLength ? body[size_t(tiles) * (kBlock * kLoads) + k * kBlock]
                                                     : Vector{0, 0, 0, 0};
        for (unsigned k = 0; k < kLoads; k++) v += sumVector<In>(q[k]);
        if (tid < head) v += Sum<In>(in[tid]);
        if (tid < rest % kLength) v += Sum<In>(edge[tid]);
    }
    return v;
}
// --8<-- [end:block]

// --8<-- [start:warps]
// 畳む: ワープの合計を smem に並べる。足すのは、この後に残る人である。
// p に写して足すところはカーネルに書く。関数に出すと、nvcc 13.0 は int の arrive に 12 命令を足す
template <class T> __device__ void foldWarps(T v, T* smem) {
    v = sumWarp(v);
    if (threadIdx.x % 32 == 0) smem[threadIdx.x / 32] = v;
    __syncthreads();
}
// --8<-- [end:warps]

// --8<-- [start:alone]
// 短い配列: 1 つのブロックで全部を足し、渡さずに書く
template <class In, int kBlock>
__global__ void __launch_bounds__(kBlock)
    sumAlone(const In* __restrict__ in, unsigned head, unsigned tiles, unsigned rest, Sum<In>* out) {
    constexpr int kWarps = kBlock / 32;
    __shared__ Sum<In> smem[kWarps];
    foldWarps(sumShare<In, kBlock>(in, head, tiles, rest, 0, 1), smem);
    if (threadIdx.x > 0) return;
    Sum<In> p[kWarps];
    for (int w = 0; w < kWarps; w++) p[w] = smem[w];
    *out = fold<kWarps>(p);
}
// --8<-- [end:alone]

// --8<-- [start:integers]
// 整数: どのブロックも、合計を slots に足して去る。最後に着いたブロックが *out に書く
template <class In, int kBlock>
__global__ void __launch_bounds__(kBlock)
    sumArrive(const In* __restrict__ in, unsigned head, unsigned tiles, unsigned rest, In* out, Word* slots) {
    constexpr int kWarps = kBlock / 32, kWords = sizeof(In) / 4;
    __shared__ In smem[kWarps];
    foldWarps(sumShare<In, kBlock>(in, head, tiles, rest, blockIdx.x, gridDim.x), smem);
    if (threadIdx.x >= kWords) return;
    In p[kWarps];
    for (int w = 0; w < kWarps; w++) p[w] = smem[w];
    arrive(slots, fold<kWarps>(p), gridDim.x, out);
}
// --8<-- [end:integers]

// --8<-- [start:floats]
// 浮動小数点数: 最後のブロックは読まずに、ほかのブロックの部分和を集めて *out に書く
template <class In, int kBlock>
__global__ void __launch_bounds__(kBlock)
    sumCollect(const In* __restrict__ in, unsigned head, unsigned tiles, unsigned rest, Sum<In>* out, Word* slots) {
    constexpr int kWarps = kBlock / 32, kWords = sizeof(Sum<In>) / 4;
    __shared__ Sum<In> smem[kWarps];
    const unsigned readers = gridDim.x - 1;
    const bool collector = blockIdx.x == readers;
    Sum<In> v = sumShare<In, kBlock>(in, head, tiles, rest, collector ? kNoTile : blockIdx.x, readers);
    if (collector)  // ほかのブロックを待つのはこのブロックだけなので、行き詰まらない
        for (unsigned b = threadIdx.x; b < readers; b += kBlock) v += take<Sum<In>>(slots + b * kWords);
    __syncwarp();  // 待つループを抜ける時は人によって違う。集まり直さないと、シャッフルが遅い道を通る (0.2 から 0.4 µs)
    foldWarps(v, smem);
    if (threadIdx.x > 0) return;
    Sum<In> p[kWarps];
    for (int w = 0; w < kWarps; w++) p[w] = smem[w];
    v = fold<kWarps>(p);
    if (collector) *out = v;
    else give(slots + blockIdx.x * kWords, v);
}
// --8<-- [end:floats]

// --8<-- [start:launch]
template <class In, int kBlock, bool kAlone>
void launch(const In* in, size_t n, unsigned maxBlocks, Sum<In>* out, Word* slots, cudaStream_t stream) {
    constexpr size_t kTile = size_t(kBlock) * kLoads * kVectorBytes / sizeof(In);
    const unsigned head = unsigned(std::min(n, size_t(-reinterpret_cast<uintptr_t>(in) % kVectorBytes / sizeof(In))));
    const unsigned tiles = unsigned((n - head) / kTile), rest = unsigned((n - head) % kTile);
    const unsigned readers = std::max(1u, std::min(tiles, maxBlocks));
    if constexpr (kAlone) sumAlone<In, kBlock><<<1, kBlock, 0, stream>>>(in, head, tiles, rest, out);
    else if constexpr (std::is_integral_v<In>)
        sumArrive<In, kBlock><<<readers, kBlock, 0, stream>>>(in, head, tiles, rest, out, slots);
    else sumCollect<In, kBlock><<<readers + 1, kBlock, 0, stream>>>(in, head, tiles, rest, out, slots);
    CHECK(cudaGetLastError());
}
// --8<-- [end:launch]

// --8<-- [start:choose]
// デバイスの配列 in の n 個の合計を *out に書く。slots は slotCount() 語。
// 初めに 1 度だけ 0 にし、同時に動く呼び出しとは分ける
inline size_t slotCount(int sms) { return size_t(sms) * kBlocksPerSm * 2; }
inline int smCount(int device = 0) {
    int sms;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    return sms;
}
template <class In> void sumAsync(const In* in, size_t n, Sum<In>* out, Word* slots, int sms, cudaStream_t stream) {
    const size_t bytes = n * sizeof(In);
    const unsigned maxBlocks = unsigned(sms) * kBlocksPerSm;
    if (bytes <= 16 << 10) launch<In, 256, true>(in, n, 1, out, slots, stream);  // 1 ブロックなら、受け渡しがない
    else if (bytes <= 32 << 10) launch<In, 512, true>(in, n, 1, out, slots, stream);
    else if (bytes <= 4 << 20) launch<In, 256, false>(in, n, maxBlocks, out, slots, stream);  // 多くの SM に分ける
    else launch<In, 512, false>(in, n, maxBlocks, out, slots, stream);  // 大きいタイルで、DRAM を続けて読む
}
// --8<-- [end:choose]
