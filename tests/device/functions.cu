// 丸めの向きを名前で言う演算と、数学の関数
#include "operations.cuh"

#define F float(x[0]), float(x[1])
#define D x[0], x[1]
#define TABLE                                                                                                \
    DIRECTION(rn) DIRECTION(rz) DIRECTION(ru) DIRECTION(rd) ROW(fma_rn, __fma_rn(D, x[2]))                   \
    ROW(frsqrt, __frsqrt_rn(float(x[0])))                      \
    ROW(saturate, __saturatef(float(x[0]))) ROW(minimum, min(F)) ROW(maximum, max(D))                        \
    ROW(absolute, abs(float(x[0]))) ROW(rsqrt, rsqrt(x[0]))                                                  \
    ROW(rsqrtf, rsqrtf(float(x[0]))) ROW(fast_exp, __expf(float(x[0]))) ROW(fast_log, __logf(float(x[0])))   \
    ROW(fast_sin, __sinf(float(x[0]))) ROW(fast_pow, __powf(F)) ROW(fdivide, __fdividef(F))
#define DIRECTION(r)                                                                                          \
    ROW(float2int_##r, __float2int_##r(float(x[0]))) ROW(float2uint_##r, __float2uint_##r(float(x[0])))       \
    ROW(double2int_##r, __double2int_##r(x[0])) ROW(double2ll_##r, __double2ll_##r(x[0]))                     \
    ROW(fadd_##r, __fadd_##r(F)) ROW(fsub_##r, __fsub_##r(F)) ROW(fmul_##r, __fmul_##r(F))                    \
    ROW(fdiv_##r, __fdiv_##r(F)) ROW(fmaf_##r, __fmaf_##r(F, float(x[2]))) ROW(frcp_##r, __frcp_##r(float(x[0]))) \
    ROW(fsqrt_##r, __fsqrt_##r(float(x[0]))) ROW(dadd_##r, __dadd_##r(D)) ROW(dmul_##r, __dmul_##r(D))        \
    ROW(ddiv_##r, __ddiv_##r(D)) ROW(dsqrt_##r, __dsqrt_##r(x[0]))                                            \
    ROW(double2float_##r, __double2float_##r(x[0])) ROW(int2float_##r, __int2float_##r(int(x[0])))  \
    ROW(ll2float_##r, __ll2float_##r((long long)x[0]))

#define ROW(name, ...) OPERATION(test_##name, __VA_ARGS__)
TABLE
#undef ROW
#define ROW(name, ...) {#name, test_##name},
int main(int argc, char** argv) { return operate(argc, argv, {TABLE}); }
