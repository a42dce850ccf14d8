// 5.11 の softmax の課題の道具。行列の入力、CPU の答え、判定の中身は softmax.cpp にある。
#pragma once
#include "question.cuh"

namespace softmax {

using Input = book::Counted<float>;  // 読んだ回数を数える

// 課題の main。ask は、rows 行 columns 列の in の行ごとの softmax を out_dev に書く。1 つの要素は reads 度まで読める
int run(int argc, char** argv, const char* file, void (*ask)(Input in, float* out_dev, int rows, int columns),
        int reads);

}  // namespace softmax
