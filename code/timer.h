// timer.h: カーネルの時間を測る時計。中身は timer.cpp にある
#pragma once
#include "book.cuh"

#include <vector>

namespace book {

// timerStart と timerStop の間の時間。測り方は、動かす前に決めておく
struct Timer {
    bool hot = false;     // L2 を空にしない (HOT=1)
    bool queued = false;  // 全部を頼み終えてから動かす
    double ms = 0;        // 測った時間。頼み終える前に動き出したなら、負
    double outsideMs = 0;  // 測定のための手間 (転送の時間から除く)
    double deviceMiB = 0;  // 測っているときに確保されていた、装置のメモリ
};
extern Timer watch;

void coolDown(cudaStream_t stream);  // L2 の中身を入れ替える

double nowMs();  // ホストの時計
double median(std::vector<double> v);

}  // namespace book
