// 2 バイトの浮動小数点数の関数。数はビットの並び (0 から 65535) として受け取り、返す
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "operations.cuh"

#define OPERATIONS(H, H2, N, N2)                                                                              \
    namespace N##_operations {                                                                                \
    __device__ H h(double bits) { return __ushort_as_##N((unsigned short)bits); }                             \
    __device__ double b(H x) { return __##N##_as_ushort(x); }                                                 \
    __device__ double b2(H2 v) { return b(__low2##N(v)) + 65536 * b(__high2##N(v)); }                         \
    OPERATION(decode, __##N##2float(h(x[0])))                                                                 \
    OPERATION(encode, b(__double2##N(x[0])))                                                                  \
    OPERATION(int_rn, b(__int2##N##_rn(int(x[0]))))                                                           \
    OPERATION(to_int, __##N##2int_rn(h(x[0])))                                                                \
    OPERATION(add, b(__hadd(h(x[0]), h(x[1]))))                                                               \
    OPERATION(sub, b(h(x[0]) - h(x[1])))                                                                      \
    OPERATION(mul, b(__hmul(h(x[0]), h(x[1]))))                                                               \
    OPERATION(div, b(h(x[0]) / h(x[1])))                                                                      \
    OPERATION(fma, b(__hfma(h(x[0]), h(x[1]), h(x[2]))))                                                      \
    OPERATION(add2, b2(__hadd2(__halves2##N2(h(x[0]), h(x[1])), __##N##2##N2(h(x[2])))))                      \
    OPERATION(sqrt, b(hsqrt(h(x[0]))))                                                                        \
    OPERATION(exp, b(hexp(h(x[0]))))                                                                          \
    OPERATION(larger, b(__hmax(h(x[0]), h(x[1]))))                                                            \
    OPERATION(smaller, b(__hmin(h(x[0]), h(x[1]))))                                                           \
    OPERATION(less, __hlt(h(x[0]), h(x[1])) + 2 * (h(x[0]) < h(x[1])))                                        \
    }
#define TABLE(N)                                                                                              \
    ROW(N, decode) ROW(N, encode) \
    ROW(N, int_rn) ROW(N, to_int) ROW(N, add) ROW(N, sub) ROW(N, mul)          \
    ROW(N, div) ROW(N, fma) ROW(N, add2) ROW(N, sqrt) ROW(N, exp) ROW(N, larger) ROW(N, smaller) \
    ROW(N, less)
#define ROW(N, name) {#N "-" #name, N##_operations::name},

OPERATIONS(__half, __half2, half, half2)
OPERATIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)
int main(int argc, char** argv) { return operate(argc, argv, {TABLE(half) TABLE(bfloat16)}); }
