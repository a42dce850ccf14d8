// fold.cuh: 総和でないものを求める課題 (節の exercises/)。カーネルの答えを、CPU で求めた答えと比べる
#pragma once
#include "book.cuh"

namespace book {

// CPU で求めた答えと、got がそれと違うときの手がかり。手がかりの %d は、番号 at になる
template <class T> struct Expected {
    T value;
    const char* hint;
    int at = 0;
};

// ask はデバイスの配列 x_dev (長さ n、1 以上) から求めて *out_dev に書き、expect は同じものを CPU で求める。
// inputs は、試す入力の名前 (fold.cpp の表)。答えは、入力が何でも正確に決まる
template <class In, class Out>
int fold(int argc, char** argv, const char* file, void (*ask)(const In* x_dev, int n, Out* out_dev),
         Expected<Out> (*expect)(const In* x, int n, Out got), std::initializer_list<const char*> inputs);

}  // namespace book
