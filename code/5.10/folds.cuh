// 5.10 の 1-operator と 2-pairs の道具。入力、CPU の答え、比較、報告の中身は folds.cpp にある。
#pragma once
#include "book.cuh"

namespace folds {

// 演算子の答え。数が 1 つのものは、second を使わない
struct Answer { double first, second = 0; };

// 演算子の名前と、ホストの配列 x の n 個を GPU で畳む関数
struct Fold {
    const char* name;
    Answer (*ask)(const float* x, int n);
};

// リストの main。OP= で選んだ演算子の答えを、CPU の答えと比べる。選ばなければ、folds の初めのもの
int run(int argc, char** argv, const char* file, std::initializer_list<Fold> folds);

}  // namespace folds
