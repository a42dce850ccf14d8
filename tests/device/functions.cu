// 丸めの向きを名前で言う演算と、数学の関数
#include "operations.cuh"

#define F float(x[0]), float(x[1])
#define D x[0], x[1]
#define TABLE                                                                                                \
    DIRECTION(rn) DIRECTION(rz) DIRECTION(ru) DIRECTION(rd) ROW(fadd, __fadd_rn(F)) ROW(fsub, __fsub_rn(F))  \
    ROW(fmul, __fmul_rn(F)) ROW(fdiv, __fdiv_rn(F)) ROW(fmaf, __fmaf_rn(F, float(x[2])))                     \
    ROW(frcp, __frcp_rn(float(x[0]))) ROW(fsqrt, __fsqrt_rn(float(x[0]))) ROW(dadd, __dadd_rn(D))            \
    ROW(dmul, __dmul_rn(D)) ROW(ddiv, __ddiv_rn(D)) ROW(fma, __fma_rn(D, x[2])) ROW(dsqrt, __dsqrt_rn(x[0])) \
    ROW(double2float, __double2float_rn(x[0])) ROW(int2float, __int2float_rn(int(x[0])))                     \
    ROW(ll2float, __ll2float_rn((long long)x[0])) ROW(frsqrt, __frsqrt_rn(float(x[0])))                      \
    ROW(saturate, __saturatef(float(x[0]))) ROW(minimum, min(F)) ROW(maximum, max(D))                        \
    ROW(absolute, abs(float(x[0]))) ROW(rsqrt, rsqrt(x[0]))                             \
    ROW(rsqrtf, rsqrtf(float(x[0]))) ROW(fast_exp, __expf(float(x[0]))) ROW(fast_log, __logf(float(x[0])))   \
    ROW(fast_sin, __sinf(float(x[0]))) ROW(fast_pow, __powf(F)) ROW(fdivide, __fdividef(F))
#define DIRECTION(r)                                                                                        \
    ROW(float2int_##r, __float2int_##r(float(x[0]))) ROW(float2uint_##r, __float2uint_##r(float(x[0])))     \
    ROW(double2int_##r, __double2int_##r(x[0])) ROW(double2ll_##r, __double2ll_##r(x[0]))

#define ROW(name, ...) OPERATION(test_##name, __VA_ARGS__)
TABLE
#undef ROW
#define ROW(name, ...) {#name, test_##name},
int main(int argc, char** argv) { return operate(argc, argv, {TABLE}); }
