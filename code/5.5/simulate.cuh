// 5.5 の重い計算。どのリストも、同じ計算を、違うスレッドにさせる
#pragma once
#include "particles.cuh"

// --8<-- [start:simulate]
// ばねにつながれた粒子を位置 x から動かし、iterations * kSteps 歩あとの位置を返す
__device__ float simulate(float x, int iterations) {
    float v = 0;
    for (int k = 0; k < iterations; k++) {
        for (int step = 0; step < particles::kSteps; step++) {
            v -= x * particles::kStep;
            x += v * particles::kStep;
        }
    }
    return x;
}
// --8<-- [end:simulate]
