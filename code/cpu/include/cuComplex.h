// cuComplex.h: 複素数。実部が x、虚部が y。
#pragma once
#include "cuda_runtime.h"

typedef float2 cuFloatComplex, cuComplex;
typedef double2 cuDoubleComplex;
// 割り算と絶対値は、途中であふれないように、大きさを割ってから計算する
#define CPU_COMPLEX(C, T, f)                                                                             \
    inline T cuCreal##f(C a) { return a.x; }                                                             \
    inline T cuCimag##f(C a) { return a.y; }                                                             \
    inline C cuConj##f(C a) { return {a.x, -a.y}; }                                                      \
    inline C cuCadd##f(C a, C b) { return {a.x + b.x, a.y + b.y}; }                                      \
    inline C cuCsub##f(C a, C b) { return {a.x - b.x, a.y - b.y}; }                                      \
    inline C cuCmul##f(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }              \
    inline C cuCdiv##f(C a, C b) {                                                                       \
        const T s = std::fabs(b.x) + std::fabs(b.y), x = a.x / s, y = a.y / s, p = b.x / s, q = b.y / s; \
        return {(x * p + y * q) / (p * p + q * q), (y * p - x * q) / (p * p + q * q)};                   \
    }                                                                                                    \
    inline T cuCabs##f(C a) { return std::hypot(a.x, a.y); }                                             \
    inline C cuCfma##f(C a, C b, C c) { return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x}; }
CPU_COMPLEX(cuFloatComplex, float, f)
CPU_COMPLEX(cuDoubleComplex, double, )
#undef CPU_COMPLEX
inline cuFloatComplex make_cuFloatComplex(float x, float y) { return {x, y}; }
inline cuComplex make_cuComplex(float x, float y) { return {x, y}; }
inline cuDoubleComplex make_cuDoubleComplex(double x, double y) { return {x, y}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return {float(a.x), float(a.y)}; }
