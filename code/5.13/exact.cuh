// 5.13 のリストの道具。入力、筆算の答え、比較、報告の中身は exact.cpp にある
#pragma once
#include "harness.h"

namespace exact {

// x の n 個を、blocks 個のブロックで足す。0 なら、ブロックの数はリストが決める
using Sum = float (*)(const float* x, long long n, int blocks);

// リストの main。合計を、筆算で求めたものと、ビットで比べる
int run(int argc, char** argv, const char* file, Sum sum);

// 入力の種類: 名前と、乱数から 1 つの値を作る式
struct Source {
    const char* name;
    float (*value)(uint32_t random);
};
extern const Source kSources[9];
enum class Order { given, reverse, mixed };
std::vector<float> input(const Source& source, long long n, uint32_t seed, Order order);
template <class T> T expected(const std::vector<T>& x);  // 正確な合計を、1 度だけ丸めたもの

}  // namespace exact
