// 5.5 の道具。粒子の入力、CPU の結果、要素ごとの比較、報告の中身は particles.cpp にある。
#pragma once
#ifndef BLOCK
#define BLOCK 512  // この節の既定のブロックの大きさ
#endif
#include "book.cuh"

namespace particles {

// 1 回の反復で粒子を動かす歩数と、1 歩の時間。kStep は 2 のべき乗なので、掛けても丸めは起きない。
// だから、掛け算と足し算を 1 命令 (FMA) にまとめてもまとめなくても、結果は最後のビットまで同じになる。
constexpr int kSteps = 16;
constexpr float kStep = 0.0625f;

// in (エネルギー) の n 個を調べ、threshold 以上の粒子を動かした位置を out に書く。それ以外の out は 0
using Process = void (*)(const float* in, float* out, int n, float threshold, int iterations);

// リストの main。process はホストの配列 in を GPU で処理して out に書く。要素を 1 つずつ CPU の結果と比べる。
int run(int argc, char** argv, const char* file, Process process, int block = BLOCK);

}  // namespace particles
