// 5.10 の演算子。どれも、次の 3 つの関数でできている
//   identity()  単位元: どんな a でも、op(identity(), a) と op(a, identity()) は a
//   lift(x, i)  番号 i の要素 x だけの、答え
//   op(a, b)    2 つの列の答えから、つないだ列の答えを作る。結合法則と交換法則を守る
// 値は == で比べる: -0 と 0 は同じで、NaN は NaN と同じとみなす。合計、分散、Σexp は、丸めの分だけ違ってよい
#pragma once
#include <climits>
#include <cmath>

// --8<-- [start:words]
// 合計。NaN があるか、∞ と -∞ がどちらもあれば、NaN
struct Plus {
    using Value = float;
    __device__ static Value identity() { return 0; }
    __device__ static Value lift(float x, int) { return x; }
    __device__ Value operator()(Value a, Value b) const { return a + b; }
};

// 最大値。NaN が 1 つでもあれば、NaN
struct Max {
    using Value = float;
    __device__ static Value identity() { return -INFINITY; }
    __device__ static Value lift(float x, int) { return x; }
    __device__ Value operator()(Value a, Value b) const { return b > a || b != b ? b : a; }  // b != b は NaN だけ
};

// 最小値。NaN が 1 つでもあれば、NaN
struct Min {
    using Value = float;
    __device__ static Value identity() { return INFINITY; }
    __device__ static Value lift(float x, int) { return x; }
    __device__ Value operator()(Value a, Value b) const { return b < a || b != b ? b : a; }
};

// 全部が 0 でなければ 1。NaN は 0 でなく、-0 は 0 である
struct All {
    using Value = int;
    __device__ static Value identity() { return 1; }
    __device__ static Value lift(float x, int) { return x != 0; }
    __device__ Value operator()(Value a, Value b) const { return a && b; }
};
// --8<-- [end:words]

// --8<-- [start:argmax]
// 最大値と、その番号。同じ値なら小さい番号。NaN は、どの数よりも大きいとみなす
struct Argmax {
    struct Value {
        float value;
        int index;
    };
    __device__ static Value identity() { return {-INFINITY, INT_MAX}; }
    __device__ static Value lift(float x, int i) { return {x, i}; }
    __device__ static bool above(float a, float b) { return a > b || (a != a && b == b); }
    __device__ Value operator()(Value a, Value b) const {
        if (above(a.value, b.value)) return a;
        if (above(b.value, a.value)) return b;
        return a.index < b.index ? a : b;
    }
};
// --8<-- [end:argmax]

// --8<-- [start:variance]
// 個数、平均、平均との差の 2 乗の和。NaN か無限大が 1 つでもあれば、平均も 2 乗の和も NaN
struct Variance {
    struct Value {
        int count;
        float mean, squares;
    };
    __device__ static Value identity() { return {0, 0, 0}; }
    __device__ static Value lift(float x, int) { return {1, x + (x - x), x - x}; }  // x - x は 0 か NaN
    __device__ Value operator()(Value a, Value b) const {
        if (a.count == 0) return b;
        if (b.count == 0) return a;
        float part = float(b.count) / float(a.count + b.count);  // つないだ列のうち、b の割合
        float gap = b.mean - a.mean;
        return {a.count + b.count, a.mean + gap * part, a.squares + b.squares + gap * gap * float(a.count) * part};
    }
};
// --8<-- [end:variance]

// --8<-- [start:softmax]
// 最大値 max と、exp(x - max) の和。NaN が 1 つでもあれば、どちらも NaN
struct Softmax {
    struct Value { float max, sum; };
    __device__ static Value identity() { return {-INFINITY, 0}; }
    __device__ static Value lift(float x, int) { return {x, x == x ? 1 : x}; }
    // v.sum を、最大値が max のときの和に直す。同じ最大値なら掛けない: -∞ から -∞ を引くと NaN になる
    __device__ static float rescale(Value v, float max) { return v.max == max ? v.sum : v.sum * expf(v.max - max); }
    __device__ Value operator()(Value a, Value b) const {
        float max = Max()(a.max, b.max);
        return {max, rescale(a, max) + rescale(b, max)};
    }
};
// --8<-- [end:softmax]
