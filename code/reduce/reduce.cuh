// reduce.cuh: 配列、行列の行、行列の列を、1 度の起動で畳む。持ち帰るのは、この 1 つのファイルだけでよい。
// 要るのは CUDA ランタイムと C++17 だけ。sm_75 から。使い方と約束は「持ち帰る」のページにある
//
//   size_t bytes = 0;
//   reduce::sum(nullptr, bytes, x, out, n);      // 作業領域の大きさを聞く
//   cudaMalloc(&work, bytes);
//   reduce::prepare(work, bytes);                // 初めに 1 度だけ
//   reduce::sum(work, bytes, x, out, n, stream); // 何度でも。終わりを待たずに戻る
#pragma once
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace reduce {

// --8<-- [start:names]
constexpr int kVectorBytes = 16;  // 1 スレッドが 1 命令で読めるバイト数の最大
constexpr int kLoads = 4;         // 1 スレッドが、前の答えを待たずに頼む読み出しの数
constexpr unsigned kNoTile = ~0u;  // 読まないブロックの、初めのタイル。どのタイルの番号より大きい
constexpr int kBlocksPerSm = 4;    // 512 スレッドで SM が満員 (2048) になる数
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
constexpr int kThreadsPerSm = 1024;
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 900 && __CUDA_ARCH__ != 1000
constexpr int kThreadsPerSm = 1536;  // sm_80 の PTX は、1536 スレッドの世代でも使われる
#else
constexpr int kThreadsPerSm = 2048;
#endif
// SM が満員になるように、レジスタを減らす。大きな途中の型では、あふれてローカルメモリに落ちるので、半分まで
template <class T> constexpr int kFull(int block) { return (sizeof(T) > 8 ? 1024 : kThreadsPerSm) / block; }
constexpr unsigned kAll = ~0u;     // 32 レーンの全員

using Vector = uint4;
using Word = unsigned long long;  // 1 度のアトミック演算で渡す語

template <class T>  // half と bfloat16
constexpr bool kSmallFloat = sizeof(T) == 2 && std::is_class_v<T> && std::is_constructible_v<float, T>;
// 何で足すか: half と bfloat16 は float、短い整数は int
template <class T>
using Wide = std::conditional_t<kSmallFloat<T>, float, std::conditional_t<(sizeof(T) < 4), int, T>>;
template <class To, class From> __host__ __device__ To convert(const From& x) {
    if constexpr (kSmallFloat<From> && !std::is_same_v<To, From>) return To(float(x));
    else if constexpr (kSmallFloat<To> && !std::is_same_v<To, From>) return To(float(x));
    else {
        static_assert(
            std::is_constructible_v<To, From>,
            "reduce: 要素を途中の型に変えられない。sum<型> のように途中の型を選ぶか、fold に演算と単位元を渡す");
        return To(x);
    }
}
// --8<-- [end:names]

// ---------------------------------------------------------------- 畳み方
// 畳み方は、途中の型 Acc、単位元 zero()、要素を途中の型にする lift(要素, 番号)、2 つを 1 つにする () からなる

// --8<-- [start:ways]
template <class T> struct Add {
    using Acc = T;
    __host__ __device__ T zero() const { return T(0); }
    template <class In> __device__ T lift(const In& x, size_t) const { return convert<T>(x); }
    __device__ T operator()(const T& a, const T& b) const { return a + b; }
};

// 最小と最大。非数が 1 つでもあれば、答えも非数になる
template <class T, bool kMax> struct Extreme {
    using Acc = T;
    using Limits = std::numeric_limits<T>;
    static_assert(Limits::is_specialized, "reduce: この型の最小と最大は決まっていない。fold に演算と単位元を渡す");
    static constexpr T kTop = Limits::has_infinity ? Limits::infinity() : Limits::max();
    static constexpr T kBottom = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    __host__ __device__ T zero() const { return kMax ? kBottom : kTop; }
    template <class In> __device__ T lift(const In& x, size_t) const { return convert<T>(x); }
    __device__ T operator()(const T& a, const T& b) const { return (kMax ? a < b : b < a) || b != b ? b : a; }
    // 4 バイトの値の順位: 答えになるものほど大きい整数。非数がいちばん大きい
    static __device__ unsigned rank(const T& x) {
        unsigned bits;
        memcpy(&bits, &x, 4);
        if constexpr (std::is_signed_v<T>) bits ^= std::is_integral_v<T> || int(bits) >= 0 ? 1u << 31 : ~0u;
        return x != x ? ~0u : kMax ? bits : ~bits;
    }
    static __device__ T ranked(unsigned bits) {  // 順位から、値に戻す
        const bool nan = bits == ~0u;
        if constexpr (!kMax) bits = ~bits;
        if constexpr (std::is_signed_v<T>) bits ^= std::is_integral_v<T> || int(bits) < 0 ? 1u << 31 : ~0u;
        if (!std::is_integral_v<T> && nan) bits = ~0u;
        T x;
        memcpy(&x, &bits, 4);
        return x;
    }
};

// 値と、その番号。同じ値なら小さい番号、非数があれば初めの非数。何もなければ番号は 2^64 - 1
template <class T> struct Found {
    T value;
    unsigned low, high;  // 8 バイトの語に分けないのは、float のときに隙間を作らないため
    __host__ __device__ size_t index() const { return size_t(high) << 32 | low; }
};
// 途中の形: 番号が 2^32 - 1 より小さいとき。4 バイト短いだけ、レジスタも渡す語も少ない
template <class T> struct Near {
    T value;
    unsigned low;
    __device__ unsigned index() const { return low; }
    __device__ operator Found<T>() const { return {value, low, low == ~0u ? ~0u : 0}; }
};
template <class T, bool kMax, class Place = Found<T>> struct ArgExtreme {
    using Acc = Place;
    using Scout = Extreme<T, kMax>;
    // 値が best のものが後にあれば、v と替わるか
    __device__ bool yields(const Acc& v, const T& best) const {
        return !(kMax ? v.value >= best : v.value <= best) && v.value == v.value;
    }
    __host__ __device__ Acc zero() const { return at(Scout{}.zero(), ~size_t(0)); }
    template <class In> __device__ Acc lift(const In& x, size_t i) const { return at(convert<T>(x), i); }
    __host__ __device__ static Acc at(const T& x, size_t i) {
        if constexpr (sizeof(Acc) == sizeof(T) + 4) return {x, unsigned(i)};
        else return {x, unsigned(i), unsigned(uint64_t(i) >> 32)};
    }
    // a も b も要素で、a の番号が b の番号より小さいとき
    __device__ Acc ordered(const Acc& a, const Acc& b) const {
        const bool stays = kMax ? a.value >= b.value : a.value <= b.value;  // どちらかが非数なら false
        return stays || a.value != a.value ? a : b;
    }
    __device__ Acc operator()(const Acc& a, const Acc& b) const {
        return a.index() <= b.index() ? ordered(a, b) : ordered(b, a);
    }
};

template <class T> using Min = Extreme<T, false>;
template <class T> using Max = Extreme<T, true>;
template <class T> using ArgMin = ArgExtreme<T, false>;
template <class T> using ArgMax = ArgExtreme<T, true>;

// 自分の演算: Acc op(Acc, Acc) は、結合と交換ができて、op(identity, x) は x
template <class T, class Op> struct Way {
    using Acc = T;
    Op op;
    T identity;
    __host__ __device__ T zero() const { return identity; }
    template <class In> __device__ T lift(const In& x, size_t) const { return convert<T>(x); }
    __device__ T operator()(const T& a, const T& b) const { return op(a, b); }
};
template <class Op, class T> Way<T, Op> with(Op op, T identity) { return {op, identity}; }

// 畳む前に、要素に f を掛ける。f は f(要素) か f(要素, 番号)
template <class W, class F> struct Mapped : W {
    F f;
    Mapped(W w, F f) : W(w), f(f) {}
    template <class In> __device__ typename W::Acc lift(const In& x, size_t i) const {
        if constexpr (std::is_invocable_v<F, In, size_t>) return W::lift(f(x, i), i);
        else return W::lift(f(x), i);
    }
};
template <class W, class F> Mapped<W, F> mapped(W w, F f) { return {w, f}; }

// 番号が 2^32 - 1 より小さいときの畳み方。ほかは、同じもの
template <class W> W near(W w) { return w; }
template <class T, bool kMax, class = std::enable_if_t<sizeof(T) == 4>>
ArgExtreme<T, kMax, Near<T>> near(ArgExtreme<T, kMax>) {
    return {};
}

template <class W> constexpr bool kAddsIntegers = false;  // 足す順番で答えが変わらず、あふれは折り返す
template <class T> constexpr bool kAddsIntegers<Add<T>> = std::is_integral_v<T>;
template <class T, class F> constexpr bool kAddsIntegers<Mapped<Add<T>, F>> = std::is_integral_v<T>;
template <class W> constexpr bool kZeroLifts = false;  // ビットがすべて 0 の要素は、単位元になる
template <class T> constexpr bool kZeroLifts<Add<T>> = true;
// --8<-- [end:ways]

// ---------------------------------------------------------------- 読む
// --8<-- [start:read]
// 読むもの。ポインタは 16 バイトずつ、ほかの反復子 ([] で要素を返すもの) は 1 個ずつ
template <class In> struct Source {
    using Element = std::decay_t<decltype(std::declval<In>()[size_t(0)])>;
    using Load = Element;
    static unsigned head(In, size_t) { return 0; }
    static __device__ Load load(const In& in, size_t begin, size_t i) { return in[begin + i]; }
};
template <class T> struct Source<T*> {
    using Element = std::remove_const_t<T>;
    static constexpr bool kVector = kVectorBytes % sizeof(T) == 0 && alignof(T) == sizeof(T) && sizeof(T) < 16;
    using Load = std::conditional_t<kVector, Vector, Element>;
    static unsigned head(T* in, size_t n) {  // 16 バイト境界までの個数
        if constexpr (!kVector) return 0;
        return unsigned(std::min(n, size_t(-reinterpret_cast<uintptr_t>(in) % kVectorBytes / sizeof(T))));
    }
    static __device__ Load load(T* in, size_t begin, size_t i) {  // in[begin] から数えて i 番目の Load
        if constexpr (kVector) return __ldg(reinterpret_cast<const Load*>(in + begin) + i);
        else return in[begin + i];
    }
};
// --8<-- [end:read]

// --8<-- [start:fold]
// n 個のレジスタを半分に畳むことを繰り返す。n は 2 のべき乗。
// 再帰なのは、添字をコンパイル時に決めるため。決まらないと v がローカルメモリに落ちる
template <int n, class T, class W> __device__ T fold(T* v, const W& way) {
    if constexpr (n == 1) return v[0];
    else {
        for (int k = 0; k < n / 2; k++) v[k] = way(v[k], v[k + n / 2]);
        return fold<n / 2>(v, way);
    }
}
// 前から順に並んだ n 個。順番を使える畳み方 (argmin) は、番号を比べずに済む
template <class W, class = void> constexpr bool kHasOrder = false;
template <class W> constexpr bool kHasOrder<W, std::void_t<decltype(&W::ordered)>> = true;
template <int n, class T, class W> __device__ T foldInOrder(T* v, const W& way) {
    if constexpr (!kHasOrder<W>) return fold<n>(v, way);
    else {
        for (int k = 1; k < n; k++) v[0] = way.ordered(v[0], v[k]);
        return v[0];
    }
}
template <int n, class T, class W> __device__ T foldArray(const T* smem, const W& way) {
    T p[n];
    for (int k = 0; k < n; k++) p[k] = smem[k];
    return fold<n>(p, way);
}
// 1 度に読んだ Load を畳む。i は初めの要素の番号
template <class Element, class Load, class W>
__device__ typename W::Acc foldLoad(const Load& q, size_t i, const W& way) {
    constexpr int n = sizeof(Load) / sizeof(Element);
    if constexpr (n == 1) return way.lift(reinterpret_cast<const Element&>(q), i);
    else {
        Element in[n];
        memcpy(in, &q, sizeof q);
        typename W::Acc p[n];
        for (int k = 0; k < n; k++) p[k] = way.lift(in[k], i + k);
        return foldInOrder<n>(p, way);
    }
}
// n 個の Load で v が変わるか。番号を求めるときは、先に値だけを畳んで、変わらなければ番号を作らない
template <class W> constexpr bool kScouts = false;
template <class T, bool kMax, class Place> constexpr bool kScouts<ArgExtreme<T, kMax, Place>> = true;
template <int n, class Element, class T, class Load, class W>
__device__ bool changes(const T& v, const Load* q, const W& way) {
    if constexpr (!kScouts<W>) return true;
    else {
        if (v.low == ~0u) return true;  // まだ何もない
        const typename W::Scout scout{};
        decltype(scout.zero()) p[n];
        for (int k = 0; k < n; k++) p[k] = foldLoad<Element>(q[k], 0, scout);
        return way.yields(v, fold<n>(p, scout));
    }
}
// --8<-- [end:fold]

// --8<-- [start:warp]
// 32 ビットずつの値として渡す
template <class T> __device__ T shuffleXor(const T& v, int stride) {
    if constexpr (std::is_arithmetic_v<T>) return __shfl_xor_sync(kAll, v, stride);
    else {
        unsigned bits[sizeof(T) / 4];
        memcpy(bits, &v, sizeof v);
        for (int k = 0; k < int(sizeof(T) / 4); k++) bits[k] = __shfl_xor_sync(kAll, bits[k], stride);
        T other;
        memcpy(&other, bits, sizeof v);
        return other;
    }
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr bool kHasReduce = false;  // 次の 3 つは、呼ばれない
__device__ inline unsigned addWarp(unsigned v) { return v; }
__device__ inline unsigned maxWarp(unsigned v) { return v; }
__device__ inline unsigned minWarp(unsigned v) { return v; }
#else
constexpr bool kHasReduce = true;
__device__ inline unsigned addWarp(unsigned v) { return __reduce_add_sync(kAll, v); }
__device__ inline unsigned maxWarp(unsigned v) { return __reduce_max_sync(kAll, v); }
__device__ inline unsigned minWarp(unsigned v) { return __reduce_min_sync(kAll, v); }
#endif
// 4 バイトの最小と最大、その番号: 順位のいちばん大きいもの。同じなら番号の小さいもの
template <class T, bool kMax> __device__ T bestOfWarp(const T& v, const Extreme<T, kMax>& way) {
    return way.ranked(maxWarp(way.rank(v)));
}
template <class T, bool kMax> __device__ Near<T> bestOfWarp(const Near<T>& v, const ArgExtreme<T, kMax, Near<T>>&) {
    const unsigned rank = Extreme<T, kMax>::rank(v.value + T(0));  // -0 と 0 は同じ値なので、0 にそろえる
    const bool best = rank == maxWarp(rank);
    const unsigned low = minWarp(best ? v.low : ~0u);
    return {__shfl_sync(kAll, v.value, __ffs(__ballot_sync(kAll, best && v.low == low)) - 1), low};
}
template <class W> constexpr bool kNear = false;
template <class T, bool kMax> constexpr bool kNear<ArgExtreme<T, kMax, Near<T>>> = kHasReduce;
template <class W> constexpr bool kRanks = kNear<W>;
template <class T, bool kMax> constexpr bool kRanks<Extreme<T, kMax>> = kHasReduce && sizeof(T) == 4;
// ワープの lanes レーンずつを畳んだものを、全員に返す。整数には専用の命令がある (sm_80 から)
template <int lanes = 32, class T, class W> __device__ T foldWarp(T v, const W& way) {
    if constexpr (kRanks<W> && lanes == 32) return bestOfWarp(v, way);
    else if constexpr (!kHasReduce || !kAddsIntegers<W> || lanes < 32) {
        for (int stride = lanes / 2; stride > 0; stride /= 2) v = way(v, shuffleXor(v, stride));
        return v;
    } else if constexpr (sizeof(T) == 4) {
        return T(addWarp(unsigned(v)));
    } else {  // 27 ビットずつなら、32 個の合計が 32 ビットに収まる
        Word total = 0;
        for (int shift = 0; shift < 64; shift += 27)
            total += Word(addWarp(unsigned(Word(v) >> shift) % (1u << 27))) << shift;
        return T(total);
    }
}
// --8<-- [end:warp]

// --8<-- [start:share]
// in の head 個の後に、タイルが tiles 個、半端が rest 個ある。
// タイル t から step おきに、このスレッドの受け持ちを畳む。次のタイルに当たるブロックは、両端の半端も畳む
template <int kBlock, class In, class W>
__device__ typename W::Acc foldShare(In in, unsigned head, unsigned tiles, unsigned rest, unsigned t, unsigned step,
                                     const W& way) {
    using S = Source<In>;
    using Element = typename S::Element;
    using T = typename W::Acc;
    constexpr unsigned kLength = sizeof(typename S::Load) / sizeof(Element), kTile = kBlock * kLoads;
    const unsigned tid = threadIdx.x;
    T v = way.zero();
    while (t < tiles) {
        typename S::Load q[kLoads];  // 畳む前に、全部の読み出しを頼む
        for (int k = 0; k < kLoads; k++) q[k] = S::load(in, head, size_t(t) * kTile + k * kBlock + tid);
        if (changes<kLoads, Element>(v, q, way)) {
            T p[kLoads];
            for (int k = 0; k < kLoads; k++)
                p[k] = foldLoad<Element>(q[k], head + (size_t(t) * kTile + k * kBlock + tid) * kLength, way);
            T next[2] = {v, foldInOrder<kLoads>(p, way)};
            v = fold<2>(next, way);
        }
        t += step;
        if (t < tiles) __syncthreads();  // 先に行くワープを待たせる。理由は確かめていないが、2^33 バイトで 1 % 速い
    }
    if (t == tiles && head + rest > 0) {
        const size_t begin = head + size_t(tiles) * (kTile * kLength), edge = begin + rest / kLength * kLength;
        typename S::Load q[kLoads] = {};
        for (unsigned k = 0; k < kLoads; k++)
            if (tid + k * kBlock < rest / kLength) q[k] = S::load(in, begin, tid + k * kBlock);
        for (unsigned k = 0; k < kLoads; k++)
            if (kZeroLifts<W> || tid + k * kBlock < rest / kLength)  // 合計なら、読まなかった 0 を足してもよい
                v = way(v, foldLoad<Element>(q[k], begin + (tid + k * kBlock) * kLength, way));
        if (tid < head) v = way(v, way.lift(in[tid], tid));
        if (tid < rest % kLength) v = way(v, way.lift(in[edge + tid], edge + tid));
    }
    return v;
}
// --8<-- [end:share]

// ---------------------------------------------------------------- 渡す
// --8<-- [start:turn]
// CUDA は、ブロックの始まる順を約束しない。まだ始まっていないかもしれないブロックを、いつまでも待ってはいけない。
// 読むブロックは、始まると state に 1 を足す。集める役は、みなが始まったのを見てから待つ。読むブロックは誰も待たない
// ので、始まっていれば必ず渡す。kTries 回見てもそろわなければ、役を state に残して帰る。残された役は、渡した後の
// ブロックが見つけて継ぐ。終わりに始まったものは、必ず見つける
// state: 下の 16 ビットが始まった数、次の 40 ビットが残された役、上の 8 ビットが済んだ役の数
constexpr int kTries = 1 << 12;
constexpr unsigned kMaxCollectors = 40;
constexpr Word kRole = Word(1) << 16, kDone = Word(1) << 56;

__device__ inline void enter(Word* state, bool reads) { atomicAdd(state, Word(reads)); }

// 残された役を、全部引き受ける。まだ始まらないブロックがあれば、引き受けない (0)
__device__ inline Word inherit(Word* state, unsigned readers) {
    for (Word old = atomicOr(state, 0);;) {
        const Word roles = old % kDone / kRole;
        if (old % kRole != readers || roles == 0) return 0;
        const Word seen = atomicCAS(state, old, old - roles * kRole);
        if (seen == old) return roles;
        old = seen;  // ほかの人が先に書き換えた
    }
}
// 集める役 role (ビット 1 つ) の 1 人が、待つ前に呼ぶ: 引き受ける役。残して帰るなら 0
__device__ inline Word stay(Word* state, unsigned readers, Word role) {
#pragma unroll 1  // 開くと、読むブロックの命令が遠くへ行く
    for (int t = 0; t < kTries; t++)
        if (atomicOr(state, 0) % kRole == readers) return role;
    atomicOr(state, role * kRole);
    return inherit(state, readers);  // 残した間に、終わりの 1 つが始まったかもしれない
}
// 役を 1 つ済ませた 1 人が呼ぶ。みな済めば、次の起動のために 0 に戻す
__device__ inline void finish(Word* state, unsigned collectors) {
    if (collectors == 1 || atomicAdd(state, kDone) / kDone == collectors - 1) atomicAnd(state, 0);
}
// --8<-- [end:turn]

// --8<-- [start:give]
// 値を 32 ビットずつ、旗 (上位の 1) と同じ語で渡す。
// 1 語のアトミック演算なので、旗が見えれば値も見えている。だから __threadfence() は要らない
template <class T> __device__ void give(Word* slot, const T& v) {
    unsigned bits[sizeof(T) / 4];
    memcpy(bits, &v, sizeof v);
    for (int k = 0; k < int(sizeof(T) / 4); k++) atomicExch(&slot[k], Word(1) << 32 | bits[k]);
}
template <class T> __device__ T take(Word* slot) {
    constexpr int kWords = sizeof(T) / 4;
    Word word[kWords] = {};
#pragma unroll 1  // 開くと、待つ間に新しい命令を読みに行き、届いた後の命令も遠くなる
    for (bool full = false; !full;) {
        full = true;
        for (int k = 0; k < kWords; k++) {
            word[k] |= atomicExch(&slot[k], 0);  // 取ると同時に、次の起動のために空に戻す
            full &= word[k] != 0;
        }
    }
    unsigned bits[kWords];
    for (int k = 0; k < kWords; k++) bits[k] = unsigned(word[k]);
    T v;
    memcpy(&v, bits, sizeof v);
    return v;
}
// --8<-- [end:give]

// --8<-- [start:arrive]
// 整数の合計: 32 ビットずつ、語 (合計 << 20 | 着いた数) に足す。最後に着いた人が全部の合計を知る。
// 足す順番で答えが変わらないからできることで、待つ人がいない。
// 8 バイトの型ではスレッド 0 と 1 が呼び、下と上の 32 ビットを受け持つ。blocks は 4096 以下
template <class T, class Out> __device__ void arrive(Word* slots, T v, unsigned blocks, Out out) {
    using O = std::decay_t<decltype(*out)>;
    const unsigned tid = threadIdx.x;
    const Word mine = Word(unsigned(Word(v) >> 32 * tid)) << 20 | 1, all = atomicAdd(&slots[tid], mine) + mine;
    const bool last = all % (1 << 20) == blocks;
    if (last) atomicAnd(&slots[tid], 0);  // 次の起動のために空に戻す
    if constexpr (sizeof(T) == 4) {
        if (last) *out = O(T(all >> 20));
    } else {
        const Word other = __shfl_xor_sync(3u, last ? all : 0, 1);  // ふつうは同じブロックが両方の最後に着く
        if (!last || (other && tid == 1)) return;
        // 別のブロックなら、先の方が置いて去り、後の方が取る
        const Word partner = other ? other : atomicExch(&slots[2], all);
        if (partner) *out = O(T((all >> 20 << 32 * tid) + (partner >> 20 << 32 * (1 - tid))));
        if (partner && !other) atomicAnd(&slots[2], 0);
    }
}
// --8<-- [end:arrive]

// ---------------------------------------------------------------- 配列
// --8<-- [start:alone]
// ワープの答えを smem に並べる。1 つにするのは、この後に残る人である
template <class T, class W> __device__ void foldWarps(T v, T* smem, const W& way) {
    v = foldWarp(v, way);
    if (threadIdx.x % 32 == 0) smem[threadIdx.x / 32] = v;
    __syncthreads();
}
// 残る人: スレッド 0。番号を求めるときは、ワープ 0 の全員で、もう 1 度順位を比べる (同じものが何度あってもよい)
template <class W> __device__ bool remains() { return threadIdx.x < (kNear<W> ? 32 : 1); }
template <int n, class T, class W> __device__ T foldRest(const T* smem, const W& way) {
    if constexpr (kNear<W>) return foldWarp(smem[threadIdx.x % n], way);
    else return foldArray<n>(smem, way);
}
// 短い配列: 1 つのブロックで全部を畳み、渡さずに書く
template <int kBlock, class In, class Out, class W>
__global__ void __launch_bounds__(kBlock, kFull<typename W::Acc>(kBlock))
    foldAlone(In in, unsigned head, unsigned tiles, unsigned rest, Out out, W way) {
    using T = typename W::Acc;
    constexpr int kWarps = kBlock / 32;
    __shared__ T smem[kWarps];
    foldWarps(foldShare<kBlock>(in, head, tiles, rest, 0, 1, way), smem, way);
    if (!remains<W>()) return;
    const T v = foldRest<kWarps>(smem, way);
    if (threadIdx.x == 0) *out = convert<std::decay_t<decltype(*out)>>(v);
}
// --8<-- [end:alone]

// --8<-- [start:integers]
// 整数の合計: どのブロックも、合計を slots に足して去る。最後に着いたブロックが *out に書く
template <int kBlock, class In, class Out, class W>
__global__ void __launch_bounds__(kBlock, kFull<typename W::Acc>(kBlock))
    foldArrive(In in, unsigned head, unsigned tiles, unsigned rest, Out out, Word* slots, W way) {
    using T = typename W::Acc;
    constexpr int kWarps = kBlock / 32, kWords = sizeof(T) / 4;
    __shared__ T smem[kWarps];
    foldWarps(foldShare<kBlock>(in, head, tiles, rest, blockIdx.x, gridDim.x, way), smem, way);
    if (threadIdx.x < kWords) arrive(slots, foldArray<kWarps>(smem, way), gridDim.x, out);
}
// --8<-- [end:integers]

// --8<-- [start:collect]
// 集めるブロックの全員に、引き受ける役を知らせる
__device__ inline Word stays(Word* state, unsigned readers, Word role) {
    __shared__ Word roles;
    if (threadIdx.x + threadIdx.y == 0) roles = stay(state, readers, role);
    __syncthreads();
    return roles;
}
// 読むブロック: 全員の v を 1 つにして、封筒 me に入れる。返すのは、残された集める役を継ぐか
template <int kBlock, class T, class W>
__device__ bool giveBlock(T v, T* smem, Word* state, unsigned me, unsigned readers, const W& way) {
    __shared__ bool heir;
    foldWarps(v, smem, way);
    if (remains<W>()) {
        v = foldRest<kBlock / 32>(smem, way);
        if (threadIdx.x == 0) give(state + 1 + me * (sizeof(T) / 4), v), heir = inherit(state, readers) != 0;
    }
    __syncthreads();
    return heir;
}
// 集めるブロック: v と、readers 個の封筒を畳んで *out に書く
template <int kBlock, class T, class Out, class W>
__device__ void collect(T v, T* smem, Word* state, unsigned readers, Out out, const W& way) {
#pragma unroll 1
    for (unsigned b = threadIdx.x; b < readers; b += kBlock) v = way(v, take<T>(state + 1 + b * (sizeof(T) / 4)));
    __syncwarp();  // 待つループを抜ける時は人によって違う。集まり直さないと、シャッフルが遅い道を通る
    foldWarps(v, smem, way);
    if (!remains<W>()) return;
    v = foldRest<kBlock / 32>(smem, way);
    if (threadIdx.x > 0) return;
    *out = convert<std::decay_t<decltype(*out)>>(v);
    finish(state, 1);
}

// そのほか: 最後のブロックは読まずに、ほかのブロックの答えを集める。待ちきれずに帰れば、読んだブロックが継ぐ
template <int kBlock, class In, class Out, class W>
__global__ void __launch_bounds__(kBlock, kFull<typename W::Acc>(kBlock))
    foldCollect(In in, unsigned head, unsigned tiles, unsigned rest, Out out, Word* state, W way) {
    using T = typename W::Acc;
    __shared__ T smem[kBlock / 32];
    const unsigned readers = gridDim.x - 1;
    const bool reads = blockIdx.x < readers;
    if (threadIdx.x == 0) enter(state, reads);
    const T v = foldShare<kBlock>(in, head, tiles, rest, reads ? blockIdx.x : kNoTile, readers, way);
    if (reads ? !giveBlock<kBlock>(v, smem, state, blockIdx.x, readers, way) : !stays(state, readers, 1)) return;
    collect<kBlock>(way.zero(), smem, state, readers, out, way);
}
// --8<-- [end:collect]

// --8<-- [start:launch]
template <class... P, class... A>
cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared, cudaStream_t stream, A... args) {
    cudaLaunchConfig_t config = {};
    config.gridDim = grid, config.blockDim = block, config.dynamicSmemBytes = shared, config.stream = stream;
    return cudaLaunchKernelEx(&config, kernel, P(args)...);  // 断られた前の起動の誤りは、ここでは返らない
}
inline cudaError_t smCount(int& sms) {
    int device;
    const cudaError_t e = cudaGetDevice(&device);
    return e ? e : cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
}
// 作業領域の大きさを答えるか、足りるかを確かめる。続けてよければ true
inline bool roomy(void* workspace, size_t& bytes, size_t words, cudaError_t& e) {
    const size_t wanted = words * sizeof(Word);
    if (!workspace) bytes = wanted;
    else if (bytes < wanted || reinterpret_cast<uintptr_t>(workspace) % sizeof(Word)) e = cudaErrorInvalidValue;
    return !e && workspace;
}
template <class W> constexpr void check() {
    using T = typename W::Acc;
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>,
                  "reduce: 途中の型は、バイトのまま写せて、何もせずに作れるものにする");
    static_assert(sizeof(T) % 4 == 0 && sizeof(T) <= 64, "reduce: 途中の型は、4 バイトの倍数で、64 バイトまで");
}

template <int kBlock, bool kAlone, class In, class Out, class W>
cudaError_t launchArray(In in, size_t n, unsigned maxBlocks, Out out, Word* words, W way, cudaStream_t stream) {
    using S = Source<In>;
    constexpr size_t kTile = size_t(kBlock) * kLoads * sizeof(typename S::Load) / sizeof(typename S::Element);
    const unsigned head = S::head(in, n);
    const size_t all = (n - head) / kTile;
    if (all >= kNoTile) return cudaErrorInvalidValue;
    const unsigned tiles = unsigned(all), rest = unsigned((n - head) % kTile);
    const unsigned readers = std::max(1u, std::min(tiles, maxBlocks));
    if constexpr (kAlone)
        return launch(foldAlone<kBlock, In, Out, W>, 1, kBlock, 0, stream, in, head, tiles, rest, out, way);
    else if constexpr (kAddsIntegers<W>)
        return launch(foldArrive<kBlock, In, Out, W>, readers, kBlock, 0, stream, in, head, tiles, rest, out, words,
                      way);
    else
        return launch(foldCollect<kBlock, In, Out, W>, readers + 1, kBlock, 0, stream, in, head, tiles, rest, out,
                      words, way);
}
// --8<-- [end:launch]

// --8<-- [start:choose]
// 配列を blocks 個までのブロックで畳むときの、作業領域の語の数
template <class T> constexpr size_t wordsFor(unsigned blocks) { return 3 + blocks * (sizeof(T) / 4); }

// in[0] から in[n - 1] を、長さに合わせて選んだ形で畳み、*out に書く。同じ blocks なら、どの GPU でも同じ順に畳む
template <class In, class Out, class W>
cudaError_t foldBlocks(In in, size_t n, unsigned blocks, Out out, Word* words, W way, cudaStream_t stream = nullptr) {
    const size_t size = n * sizeof(typename Source<In>::Element);
    if (size <= 16 << 10) return launchArray<256, true>(in, n, 1, out, words, way, stream);  // 渡すことがない
    if (size <= 32 << 10) return launchArray<512, true>(in, n, 1, out, words, way, stream);
    if (size <= 4 << 20) return launchArray<256, false>(in, n, blocks, out, words, way, stream);  // 多くの SM に
    const unsigned most = sizeof(typename W::Acc) > 8 ? blocks / 2 : blocks;  // 1 度に載るだけ
    return launchArray<512, false>(in, n, most, out, words, way, stream);  // 大きいタイルで、続けて読む
}
// --8<-- [end:choose]

// 作業領域を使えるようにする。取った後に 1 度だけ呼ぶ。途中で終わった起動があれば、もう 1 度
inline cudaError_t prepare(void* workspace, size_t bytes, cudaStream_t stream = nullptr) {
    return cudaMemsetAsync(workspace, 0, bytes, stream);
}

// in[0] から in[n - 1] を way で畳み、*out に書く。out はデバイスの場所。in は、ポインタか [] のある反復子。
// workspace が nullptr なら、要る大きさを bytes に書くだけで戻る。同時に動く呼び出しには、別の作業領域を渡す
template <class In, class Out, class W>
cudaError_t fold(void* workspace, size_t& bytes, In in, Out out, size_t n, W way, cudaStream_t stream = nullptr) {
    check<W>();
    int sms = 0;
    cudaError_t e = smCount(sms);
    if (e) return e;
    const unsigned blocks = std::min(4000u, unsigned(sms) * kBlocksPerSm);
    if (!roomy(workspace, bytes, wordsFor<typename W::Acc>(blocks), e)) return e;
    if constexpr (!std::is_same_v<decltype(near(way)), W>)
        if (n < ~0u) return foldBlocks(in, n, blocks, out, static_cast<Word*>(workspace), near(way), stream);
    return foldBlocks(in, n, blocks, out, static_cast<Word*>(workspace), way, stream);
}

// ---------------------------------------------------------------- 行列の行
// --8<-- [start:lanes]
// 短い行: kLanes レーンで kRows 行。1 スレッドが、どの行からも kPer 個ずつ、畳む前に頼む。
// Load は 1 度に読む型: どの行も 16 バイト境界から始まるなら Vector、そうでなければ要素 1 つ
template <int kBlock, int kLanes, int kRows, int kPer, class Load, class In, class Out, class W>
__global__ void __launch_bounds__(kBlock)
    foldShortRows(const In* __restrict__ in, unsigned rows, unsigned columns, size_t ld, Out out, W way) {
    using T = typename W::Acc;
    constexpr unsigned kTeams = kBlock / kLanes, kLength = sizeof(Load) / sizeof(In);
    const unsigned lane = threadIdx.x % kLanes, first = blockIdx.x * (kTeams * kRows) + threadIdx.x / kLanes;
    T v[kRows];
    for (int r = 0; r < kRows; r++) v[r] = way.zero();
    for (unsigned c = lane; c < columns / kLength; c += kLanes * kPer) {
        Load q[kRows][kPer] = {};
        for (int r = 0; r < kRows; r++)
            for (int k = 0; k < kPer; k++) {
                const unsigned row = first + r * kTeams, i = c + k * kLanes;
                if (row < rows && i < columns / kLength) q[r][k] = reinterpret_cast<const Load*>(in + row * ld)[i];
            }
        for (int r = 0; r < kRows; r++) {
            T p[kPer];
            for (int k = 0; k < kPer; k++) {
                const unsigned i = c + k * kLanes;
                p[k] = kZeroLifts<W> || i < columns / kLength ? foldLoad<In>(q[r][k], size_t(i) * kLength, way)
                                                              : way.zero();
            }
            v[r] = way(v[r], fold<kPer>(p, way));
        }
    }
    for (int r = 0; r < kRows; r++) {
        const unsigned row = first + r * kTeams;
        v[r] = foldWarp<kLanes>(v[r], way);
        if (row < rows && lane == 0) out[row] = convert<std::decay_t<decltype(*out)>>(v[r]);
    }
}
// --8<-- [end:lanes]

// --8<-- [start:staged]
// 境界のそろわない短い行が、隙間なく並ぶとき: 32 行をまとめて共有メモリに写し、4 スレッドが 1 行を畳む
template <int kBlock, int kLanes, class In, class Out, class W>
__global__ void __launch_bounds__(kBlock)
    foldStagedRows(const In* __restrict__ in, unsigned rows, unsigned columns, Out out, W way) {
    using T = typename W::Acc;
    constexpr unsigned kLength = kVectorBytes / sizeof(In), kTeams = kBlock / kLanes;
    extern __shared__ Vector staged[];
    const unsigned tid = threadIdx.x, team = tid / kLanes, lane = tid % kLanes, row = blockIdx.x * kTeams + team;
    in += size_t(blockIdx.x) * kTeams * columns;
    const unsigned n = ::min(kTeams, rows - blockIdx.x * kTeams) * columns, vectors = n / kLength;
    for (unsigned i = tid; i < vectors; i += kBlock)  // レジスタを通さずに写す。届くのは、後でまとめて待つ
        __pipeline_memcpy_async(&staged[i], reinterpret_cast<const Vector*>(in) + i, kVectorBytes);
    In* smem = reinterpret_cast<In*>(staged);
    if (tid < n % kLength) smem[vectors * kLength + tid] = in[vectors * kLength + tid];
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    // 1 スレッドは、続いた列を受け持つ
    const unsigned each = (columns + kLanes - 1) / kLanes, end = row < rows ? ::min(columns, (lane + 1) * each) : 0;
    T p[4];
    for (unsigned k = 0; k < 4; k++) p[k] = way.zero();
    for (unsigned c = lane * each; c < end; c += 4)
        for (unsigned k = 0; k < 4; k++)
            p[k] = way(p[k], c + k < end ? way.lift(smem[team * columns + c + k], c + k) : way.zero());
    const T v = foldWarp<kLanes>(fold<4>(p, way), way);
    if (row < rows && lane == 0) out[row] = convert<std::decay_t<decltype(*out)>>(v);
}
// --8<-- [end:staged]

// --8<-- [start:pieces]
// 長い行: 1 行を pieces 個のブロックで読む。終わりのブロックがほかの答えを集める。kSplit でなければ 1 ブロックで
template <int kBlock, bool kSplit, class In, class Out, class W>
__global__ void __launch_bounds__(kBlock)
    foldLongRows(const In* __restrict__ in, unsigned columns, size_t ld, Out out, Word* all, unsigned pieces, W way) {
    using T = typename W::Acc;
    using S = Source<const In*>;
    constexpr unsigned kLength = sizeof(typename S::Load) / sizeof(In), kTile = kBlock * kLoads * kLength;
    __shared__ T smem[kBlock / 32];
    const unsigned row = kSplit ? blockIdx.x / pieces : blockIdx.x, first = kSplit ? blockIdx.x % pieces : 0;
    in += row * ld;
    out += row;
    unsigned head = unsigned(-reinterpret_cast<uintptr_t>(in) % kVectorBytes / sizeof(In));
    head = kLength == 1 ? 0 : ::min(columns, head);
    const unsigned tiles = (columns - head) / kTile, rest = (columns - head) % kTile;
    if constexpr (!kSplit) {
        foldWarps(foldShare<kBlock>(in, head, tiles, rest, 0, 1, way), smem, way);
        if (threadIdx.x == 0) *out = convert<std::decay_t<decltype(*out)>>(foldArray<kBlock / 32>(smem, way));
    } else {
        const unsigned readers = pieces - 1;
        Word* state = all + row * (1 + size_t(readers) * (sizeof(T) / 4));
        if (threadIdx.x == 0) enter(state, first < readers);
#pragma unroll 1
        for (unsigned me = first;; me = readers) {  // 終わりの分を読むのは、集める人
            const T v = foldShare<kBlock>(in, head, tiles, rest, me, pieces, way);
            if (me == readers) {
                if (first < readers || stays(state, readers, 1)) collect<kBlock>(v, smem, state, readers, out, way);
                return;
            }
            if (!giveBlock<kBlock>(v, smem, state, me, readers, way)) return;
        }
    }
}
// --8<-- [end:pieces]

// ---------------------------------------------------------------- 行列の列
// --8<-- [start:span]
// smem に groups 組くり返し並ぶ span 個の列を、番号ごとに畳んで write に渡す。1 段で 8 組を 1 組にする
template <class T, class W, class Write>
__device__ void foldSpan(T* smem, unsigned groups, unsigned span, const W& way, Write write) {
    const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (unsigned next; groups > 0; groups = next > 1 ? next : 0) {
        next = (groups + 7) / 8;
        __syncthreads();
        for (unsigned i = tid; i < next * span; i += threads) {
            T p[8];
            for (int k = 0; k < 8; k++)
                p[k] = i + k * next * span < groups * span ? smem[i + k * next * span] : way.zero();
            const T v = fold<8>(p, way);
            if (next > 1) smem[i] = v;
            else write(i, v);
        }
    }
}
// --8<-- [end:span]

// --8<-- [start:gather]
// 集める役 j (collectors 個のうち): own 列のタイルを分け合って、pieces 個の答えを集める。1 人が 1 列の何個かを見る
template <class T, class Out, class W>
__device__ void gather(T* smem, Out out, Word* state, Word* slots, unsigned own, unsigned pieces, unsigned j,
                       unsigned collectors, const W& way) {
    const unsigned slice = (own - 1) / collectors + 1, begin = j * slice;
    const unsigned count = begin < own ? ::min(slice, own - begin) : 0;  // 役が列より多ければ、することのない役もある
    if (count > 0) {
        const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x, teams = blockDim.x * blockDim.y / count;
        const unsigned team = tid / count, c = begin + tid % count;
        T v = way.zero();
#pragma unroll 1
        for (unsigned p = team; team < teams && p < pieces; p += teams)
            v = way(v, take<T>(slots + (size_t(p) * own + c) * (sizeof(T) / 4)));
        if (team < teams) smem[tid] = v;
        foldSpan(smem, teams, count, way,
                 [&](unsigned i, const T& v) { out[begin + i] = convert<std::decay_t<decltype(*out)>>(v); });
    }
    if (threadIdx.x + threadIdx.y == 0) finish(state, collectors);
}
// --8<-- [end:gather]

// --8<-- [start:columns]
// 列: 幅 blockDim.x のブロックが、隣り合う列をタイルとして読み、行を pieces 個のブロックで分ける。
// そろわない行が隙間なく並ぶなら、fuse 行を 1 行と見て読む。余った rest 個 (1 行に足りない) は、初めのブロックが畳む
template <class T, int n> struct alignas(sizeof(T) * n % 16 ? alignof(T) : 16) Pack { T v[n]; };
template <int kBlock, int kDepth, class Load, class In, class Out, class W>
__global__ void __launch_bounds__(kBlock, kDepth == 8 && sizeof(Load) > sizeof(In) ? 2 : 0)
    foldColumnsOf(const In* __restrict__ in, unsigned rows, unsigned columns, size_t ld, unsigned fuse, unsigned rest,
                  Out out, Word* states, Word* slots, unsigned pieces, W way) {
    using T = typename W::Acc;
    constexpr unsigned kLength = sizeof(Load) / sizeof(In), kWords = sizeof(T) / 4;
    __shared__ Pack<T, kLength> packs[kBlock];
    __shared__ Word heirs;
    T* smem = packs[0].v;
    const unsigned left = blockIdx.x * blockDim.x * kLength, piece = blockIdx.y, groups = blockDim.y;
    const unsigned mine = ::min(blockDim.x * kLength, columns - left), own = mine / fuse, c = threadIdx.x * kLength;
    const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned collectors = gridDim.y - pieces;
    Word* state = states + blockIdx.x;
    slots += size_t(left) * pieces * kWords;
    out += left;
    Word roles;  // このブロックがする、集める役
    if (piece >= pieces) {
        roles = stays(state, pieces, Word(1) << (piece - pieces));
    } else {
        if (pieces > 1 && tid == 0) enter(state, true);
        T tail = way.zero();
        if (piece == 0 && tid < rest) tail = way.lift(in[rows * ld + tid], size_t(rows) * fuse + tid / own);
        Pack<T, kLength> v;
        for (unsigned e = 0; e < kLength; e++) v.v[e] = way.zero();
        const auto read = [&](unsigned r, auto whole) {  // kDepth 行の全部があるか
            Load q[kDepth] = {};
            for (unsigned k = 0; k < kDepth; k++)
                if (whole.value || r + k * groups < rows)  // 足りない行は、読まずに 0 のままにする
                    q[k] = *reinterpret_cast<const Load*>(in + k * (groups * ld));
            for (unsigned e = 0; e < kLength; e++) {
                T p[kDepth];
                for (unsigned k = 0; k < kDepth; k++) {
                    In x[kLength];
                    memcpy(x, &q[k], sizeof(Load));
                    const size_t row = size_t(r + k * groups) * fuse + (fuse > 1 ? (c + e) / own : 0);
                    const bool inside = whole.value || kZeroLifts<W> || r + k * groups < rows;
                    p[k] = inside ? way.lift(x[e], row) : way.zero();
                }
                v.v[e] = way(v.v[e], fold<kDepth>(p, way));
            }
        };
        // ブロックは、続いた block 行を読んでは進む。全部の行があるうちは、1 行ずつ確かめずに読む。
        // 行が少ないときの kDepth = 4 では、プログラムの短さの方が効くので、分けない
        const unsigned block = groups * kDepth, step = pieces * block;
        unsigned r = piece * block + threadIdx.y;
        in += r * ld + left + c;
        for (unsigned end = piece * block + block; kDepth == 8 && end <= rows; end += step) {
            if (c < mine) read(r, std::true_type{});
            if (kLength == 1) __syncthreads();  // 1 個ずつ読むなら、並んで進む
            r += step, in += step * ld;
        }
        for (; c < mine && r < rows; r += step, in += step * ld) read(r, std::false_type{});
        if (groups * fuse * pieces == 1) {  // 1 人で足りれば、畳まない
            for (unsigned e = 0; e < kLength && c < mine; e++)
                out[c + e] = convert<std::decay_t<decltype(*out)>>(v.v[e]);
            return;
        }
        if (c < mine) packs[(threadIdx.y * mine + c) / kLength] = v;
        if (piece == 0 && rest > 0) {
            __syncthreads();
            if (tid < rest) smem[tid] = way(smem[tid], tail);
        }
        foldSpan(smem, groups * fuse, own, way, [&](unsigned c, const T& v) {
            if (pieces == 1) out[c] = convert<std::decay_t<decltype(*out)>>(v);
            else give(slots + (size_t(piece) * own + c) * kWords, v);
        });
        if (pieces == 1) return;
        __syncthreads();  // みなが渡してから
        if (tid == 0) heirs = inherit(state, pieces);
        __syncthreads();
        roles = heirs;
    }
#pragma unroll 1
    for (unsigned j = 0; roles >> j; j++) {
        if (roles >> j & 1) gather(smem, out, state, slots, own, pieces, j, collectors, way);
        __syncthreads();
    }
}
// --8<-- [end:columns]

constexpr size_t kMaxSide = size_t(1) << 31;  // 行も列も、これより少ない
template <class In> constexpr unsigned kSlots = std::max<unsigned>(512, 128 * kVectorBytes / sizeof(In));  // SM ごとに
template <class T, class In> size_t matrixWords(unsigned sms) {
    return size_t(sms) * (8 + kSlots<In> * (sizeof(T) / 4));
}

template <class Load, int kRows, int kPer, int kLanes = 1, class In, class Out, class W>
cudaError_t launchShort(const In* in, unsigned rows, unsigned columns, size_t ld, Out out, W way, cudaStream_t stream) {
    constexpr int kBlock = 128, kMine = kBlock / kLanes * kRows;
    return launch(foldShortRows<kBlock, kLanes, kRows, kPer, Load, In, Out, W>, (rows - 1) / kMine + 1, kBlock, 0,
                  stream, in, rows, columns, ld, out, way);
}
template <class Load, int kRows, int kPer, int kLanes = 1, class In, class Out, class W>  // lanes 以上の、2 のべき乗で
cudaError_t launchLanes(unsigned lanes, const In* in, unsigned rows, unsigned columns, size_t ld, Out out, W way,
                        cudaStream_t stream) {
    if constexpr (kLanes < 32)
        if (lanes > kLanes)
            return launchLanes<Load, kRows, kPer, 2 * kLanes>(lanes, in, rows, columns, ld, out, way, stream);
    return launchShort<Load, kRows, kPer, kLanes>(in, rows, columns, ld, out, way, stream);
}
template <int kBlock, class In, class Out, class W>
cudaError_t launchLong(const In* in, unsigned rows, unsigned columns, size_t ld, Out out, Word* words, unsigned pieces,
                       W way, cudaStream_t stream) {
    return launch(pieces > 1 ? foldLongRows<kBlock, true, In, Out, W> : foldLongRows<kBlock, false, In, Out, W>,
                  rows * pieces, kBlock, 0, stream, in, columns, ld, out, words, pieces, way);
}

// --8<-- [start:shape]
// 行列 in の行 r (in[r * ld] から columns 個) を畳み、out[r] に書く。rows も columns も 2^31 より小さい
template <class In, class Out, class W>
cudaError_t foldRows(void* workspace, size_t& bytes, const In* in, Out out, size_t rows, size_t columns, size_t ld,
                     W way, cudaStream_t stream = nullptr) {
    check<W>();
    using S = Source<const In*>;
    constexpr bool kVector = sizeof(typename S::Load) == kVectorBytes;
    constexpr unsigned kStaged = 32;
    int count = 0;
    cudaError_t e = smCount(count);
    if (e) return e;
    const unsigned sms = unsigned(count);
    if (!roomy(workspace, bytes, matrixWords<typename W::Acc, In>(sms), e) || rows == 0) return e;
    if (rows >= kMaxSide || columns >= kMaxSide || (ld < columns && rows > 1)) return cudaErrorInvalidValue;
    if (rows == 1) return fold(workspace, bytes, in, out, columns, way, stream);
    Word* words = static_cast<Word*>(workspace);
    const unsigned r = unsigned(rows), c = unsigned(columns);
    const size_t size = columns * sizeof(In), total = rows * size;
    const bool base = reinterpret_cast<uintptr_t>(in) % kVectorBytes == 0;
    const bool aligned = kVector && base && (ld * sizeof(In) | size) % kVectorBytes == 0;
    if (size > 3200) {  // 1 ブロックで 1 行。行が SM より少なければ、SM に 4 つまでになるように切り分ける
        const bool large = total > 64 << 20;  // 大きければ、タイル 1 つずつに切る。速いが、理由は確かめていない
        const unsigned most = unsigned(std::min<size_t>(size >> (large ? 15 : 14), large ? 512 : 4096));
        const unsigned fits = large ? kSlots<In> * sms / r : size > 64 << 10 && r < sms ? kBlocksPerSm * sms / r : 1;
        const unsigned pieces = std::max(1u, std::min(fits, most));
        if (r >= sms && size <= (large ? 5 : 8) << 10)
            return launchLong<128>(in, r, c, ld, out, words, pieces, way, stream);
        if (size <= (large ? 11 : 20) << 10 || (!large && pieces > 1))
            return launchLong<256>(in, r, c, ld, out, words, pieces, way, stream);
        return launchLong<512>(in, r, c, ld, out, words, pieces, way, stream);
    }
    if constexpr (kVector) {
        constexpr unsigned kLength = kVectorBytes / sizeof(In);
        if (aligned && size == kVectorBytes && rows < 512u * sms)
            return launchShort<Vector, 1, 1>(in, r, c, ld, out, way, stream);
        if (aligned && size == kVectorBytes) return launchShort<Vector, 2, 1>(in, r, c, ld, out, way, stream);
        if (aligned && c > (rows < 16u * sms ? 32 : 64) * kLength)  // 行が少ないか長ければ、多くを 1 度に頼む
            return launchShort<Vector, 1, 4, 32>(in, r, c, ld, out, way, stream);
        if (aligned) return launchLanes<Vector, 1, 2>((c / kLength + 1) / 2, in, r, c, ld, out, way, stream);
    }
    if (columns <= 3) return launchShort<In, 2, 4>(in, r, c, ld, out, way, stream);
    if (!kVector || columns < 24 || ld != columns || !base || kStaged * size > 48 << 10 || total < size_t(sms) << 14)
        return launchLanes<In, 1, 8>((c + 7) / 8, in, r, c, ld, out, way, stream);
    return launch(foldStagedRows<128, 128 / kStaged, In, Out, W>, (r - 1) / kStaged + 1, 128, kStaged * size, stream,
                  in, r, c, out, way);
}
// --8<-- [end:shape]

// threads 人のブロックが、width 人ずつで 1 行を読む。blocks は、読むブロックの数の上限
template <int kBlock, int kDepth, class Load, class In, class Out, class W>
cudaError_t launchColumns(unsigned threads, unsigned width, unsigned blocks, const In* in, unsigned rows,
                          unsigned columns, size_t ld, unsigned fuse, unsigned rest, Out out, Word* words, unsigned sms,
                          W way, cudaStream_t stream) {
    constexpr unsigned kLength = sizeof(Load) / sizeof(In);
    const unsigned loads = columns / kLength, tiles = (loads - 1) / std::min(width, loads) + 1;
    width = (loads - 1) / tiles + 1;  // どのタイルも、ほぼ同じ幅にする
    const unsigned groups = fuse > 1 ? threads / width : std::min(threads / width, rows);
    const unsigned useful =
        std::min((rows + groups * kDepth - 1) / (groups * kDepth), kSlots<In> * sms / (columns / fuse));
    const unsigned pieces = std::max(1u, std::min(blocks / tiles, useful));  // どの部分の答えも、作業領域に入る
    const unsigned gathered = width * kLength / fuse * pieces;  // 集めるブロックでは、1 人が 1 つか 2 つを見る
    const unsigned collectors = pieces > 1 ? std::min(kMaxCollectors, (gathered - 1) / (width * groups) + 1) : 0;
    return launch(foldColumnsOf<kBlock, kDepth, Load, In, Out, W>, dim3(tiles, pieces + collectors),
                  dim3(width, groups), 0, stream, in, rows, columns, ld, fuse, rest, out, words, words + 8 * sms,
                  pieces, way);
}
template <class Load, class In, class Out, class W>
cudaError_t launchTiles(const In* in, unsigned rows, unsigned columns, size_t ld, unsigned fuse, unsigned rest, Out out,
                        Word* words, unsigned sms, W way, cudaStream_t stream) {
    constexpr unsigned kLength = sizeof(Load) / sizeof(In);
    constexpr bool kVector = kLength > 1;
    constexpr unsigned kLine = kVector ? 8 : 32;  // 1 つずつ読むなら、幅を 4 倍にする
    const unsigned loads = columns / kLength;
    const bool few = size_t(rows) * loads < 1024u * sms, large = size_t(rows) * loads * sizeof(Load) >= 128 << 20;
    const auto little = launchColumns<256, 4, Load, In, Out, W>, much = launchColumns<512, 8, Load, In, Out, W>;
    const auto run = [&](auto kernel, unsigned threads, unsigned width, unsigned blocks) {
        return kernel(threads, width, blocks, in, rows, columns, ld, fuse, rest, out, words, sms, way, stream);
    };
    if (fuse == 1 && !few && rows > 4) {  // 列だけを分けても SM がほぼ満員になるなら、幅はできるだけ広く
        const unsigned many = (kVector ? 3 : 6) * sms / 2, least = large ? 2 * kLine : kLine;
        unsigned width = 256;
        while (width >= least && loads / width < many) width /= 2;
        if (width >= least) return run(rows * width <= 1024 ? little : much, 256, width, 1);
    }
    if (fuse == 1 && (rows <= 64 || (few && rows <= 1024))) {  // 1 人が 4 行ずつ
        unsigned width = 256;
        while (width > 1 && width * rows > 1024) width /= 2;
        return run(little, 256, width, 1);
    }
    if (fuse == 1 && !large && (rows <= 1024 || (rows <= 4096 && loads >= (kVector ? 4 : 84) * sms / 3)))
        return run(much, 512, loads < (kVector ? 4 : 32) * sms ? kLine / 2 : kLine, 1);
    // 行も分ける。16 バイトずつ読むなら、どの行も 128 バイトの倍数か、どれだけ大きいかで、64 から 512 バイトずつに切る
    if (few && fuse == 1) return run(little, 256, kVector ? 4 : 64, sms);
    if (few && columns <= 256) return run(little, 256, loads, sms);
    const bool even = loads % 8 == 0, middle = size_t(rows) * loads < 4096u * sms;
    unsigned width = large ? 128 : 64;
    if (kVector) width = even || middle ? (large ? 16 : 8) : !large && loads > 64 ? 16 : 32;
    if (fuse > 1) width = loads;
    return run(much, 512, width, large || !kVector ? 4 * sms : width == 16 ? 2 * sms : sms);
}

// 行列 in の列 c (in[c] から ld おきに rows 個) を畳み、out[c] に書く
template <class In, class Out, class W>
cudaError_t foldColumns(void* workspace, size_t& bytes, const In* in, Out out, size_t rows, size_t columns, size_t ld,
                        W way, cudaStream_t stream = nullptr) {
    check<W>();
    using S = Source<const In*>;
    constexpr bool kVector =
        sizeof(typename S::Load) == kVectorBytes && sizeof(typename W::Acc) * 16 <= 64 * sizeof(In);
    int count = 0;
    cudaError_t e = smCount(count);
    if (e) return e;
    const unsigned sms = unsigned(count);
    if (!roomy(workspace, bytes, matrixWords<typename W::Acc, In>(sms), e) || columns == 0) return e;
    if (rows >= kMaxSide || columns >= kMaxSide || (ld < columns && rows > 1)) return cudaErrorInvalidValue;
    if (columns == 1 && ld == 1) return fold(workspace, bytes, in, out, rows, way, stream);
    Word* words = static_cast<Word*>(workspace);
    const unsigned r = unsigned(rows), c = unsigned(columns);
    if (rows <= 1) return launchShort<In, 4, 1>(in, c, r, 1, out, way, stream);  // 0 行なら、単位元を書く
    if constexpr (kVector) {
        constexpr unsigned kLength = kVectorBytes / sizeof(In);
        const bool base = reinterpret_cast<uintptr_t>(in) % kVectorBytes == 0;
        unsigned fuse = 1;  // 何行で、16 バイトの倍数になるか
        while (size_t(fuse) * c % kLength != 0) fuse *= 2;
        if (base && fuse == 1 && ld % kLength == 0)
            return launchTiles<Vector>(in, r, c, ld, 1, 0, out, words, sms, way, stream);
        if (base && ld == columns && c <= 512 / fuse && r >= fuse)
            return launchTiles<Vector>(in, r / fuse, fuse * c, fuse * ld, fuse, r % fuse * c, out, words, sms, way,
                                       stream);
    }
    return launchTiles<In>(in, r, c, ld, 1, 0, out, words, sms, way, stream);
}

// ---------------------------------------------------------------- 名前のある畳み方
// --8<-- [start:public]
// Acc を省くと、要素の型で (half と bfloat16 は float で) 畳む。argmin と argmax の答えは Found<Acc>
template <class Acc, class In> using AccOf =
    std::conditional_t<std::is_void_v<Acc>, Wide<typename Source<In>::Element>, Acc>;

#define REDUCE_NAMED(name, Kind)                                                                                  \
    template <class Acc = void, class In, class Out>                                                              \
    cudaError_t name(void* workspace, size_t& bytes, In in, Out out, size_t n, cudaStream_t stream = nullptr) {   \
        using T = AccOf<Acc, In>;                                                                                 \
        return fold(workspace, bytes, in, out, n, Kind<T>{}, stream);                                             \
    }                                                                                                             \
    template <class Acc = void, class In, class Out>                                                              \
    cudaError_t name##Rows(void* workspace, size_t& bytes, const In* in, Out out, size_t rows, size_t columns,    \
                           size_t ld, cudaStream_t stream = nullptr) {                                            \
        using T = AccOf<Acc, const In*>;                                                                          \
        return foldRows(workspace, bytes, in, out, rows, columns, ld, near(Kind<T>{}), stream);                   \
    }                                                                                                             \
    template <class Acc = void, class In, class Out>                                                              \
    cudaError_t name##Columns(void* workspace, size_t& bytes, const In* in, Out out, size_t rows, size_t columns, \
                              size_t ld, cudaStream_t stream = nullptr) {                                         \
        using T = AccOf<Acc, const In*>;                                                                          \
        return foldColumns(workspace, bytes, in, out, rows, columns, ld, near(Kind<T>{}), stream);                \
    }
REDUCE_NAMED(sum, Add)
REDUCE_NAMED(min, Min)
REDUCE_NAMED(max, Max)
REDUCE_NAMED(argmin, ArgMin)
REDUCE_NAMED(argmax, ArgMax)
#undef REDUCE_NAMED
// --8<-- [end:public]

}  // namespace reduce
