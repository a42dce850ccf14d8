// 丸めの向きを名前で言う演算、整数の関数、数学の関数
#include "operations.cuh"

#define F float(x[0]), float(x[1])
#define D x[0], x[1]
#define I int(x[0]), int(x[1])
#define U unsigned(x[0]), unsigned(x[1])
#define TABLE                                                                                                  \
    DIRECTION(rn) DIRECTION(rz) DIRECTION(ru) DIRECTION(rd)                                                    \
    ROW(fadd, __fadd_rn(F)) ROW(fsub, __fsub_rn(F)) ROW(fmul, __fmul_rn(F)) ROW(fdiv, __fdiv_rn(F))            \
    ROW(fmaf, __fmaf_rn(F, float(x[2]))) ROW(frcp, __frcp_rn(float(x[0]))) ROW(fsqrt, __fsqrt_rn(float(x[0]))) \
    ROW(dadd, __dadd_rn(D)) ROW(dmul, __dmul_rn(D)) ROW(ddiv, __ddiv_rn(D)) ROW(fma, __fma_rn(D, x[2]))        \
    ROW(dsqrt, __dsqrt_rn(x[0])) ROW(double2float, __double2float_rn(x[0]))                                    \
    ROW(int2float, __int2float_rn(int(x[0]))) ROW(ll2float, __ll2float_rn((long long)x[0]))                    \
    ROW(frsqrt, __frsqrt_rn(float(x[0]))) ROW(mulhi, __mulhi(I)) ROW(umulhi, __umulhi(U)) \
    ROW(popc, __popc(unsigned(x[0]))) ROW(clz, __clz(int(unsigned(x[0]))))              \
    ROW(ffs, __ffs(int(unsigned(x[0])))) ROW(brev, __brev(unsigned(x[0])))                                      \
    ROW(popcll, __popcll(BITS)) ROW(clzll, __clzll((long long)(BITS))) ROW(ffsll, __ffsll((long long)(BITS)))  \
    ROW(umax, umax(U)) ROW(llmin, llmin(I)) ROW(funnel_l, __funnelshift_l(U, unsigned(x[2])))                     \
    ROW(funnel_r, __funnelshift_r(U, unsigned(x[2])))      \
    ROW(saturate, __saturatef(float(x[0])))                                                                    \
    ROW(high, __double2hiint(x[0])) ROW(low, __double2loint(x[0]))                                             \
    ROW(hiloint, __hiloint2double(__double2hiint(x[0]), __double2loint(x[0])))                                 \
    ROW(minimum, min(F)) ROW(maximum, max(D)) ROW(mixed, min(int(x[0]), unsigned(x[1])))                       \
    ROW(absolute, abs(float(x[0]))) ROW(rsqrt, rsqrt(x[0])) ROW(rsqrtf, rsqrtf(float(x[0])))                   \
    ROW(fast_exp, __expf(float(x[0]))) ROW(fast_log, __logf(float(x[0]))) ROW(fast_sin, __sinf(float(x[0])))   \
    ROW(fast_pow, __powf(F)) ROW(fdivide, __fdividef(F))
#define BITS (unsigned long long)x[0] << 32 | (unsigned long long)x[1]
#define DIRECTION(r)                                                                                        \
    ROW(float2int_##r, __float2int_##r(float(x[0]))) ROW(float2uint_##r, __float2uint_##r(float(x[0])))     \
    ROW(double2int_##r, __double2int_##r(x[0])) ROW(double2ll_##r, __double2ll_##r(x[0]))

#define ROW(name, ...) OPERATION(test_##name, __VA_ARGS__)
TABLE
#undef ROW
#define ROW(name, ...) {#name, test_##name},
int main(int argc, char** argv) { return operate(argc, argv, {TABLE}); }
