// 整数の関数と、1 つの unsigned を 2 つか 4 つの整数として計算する関数。答えの和は、GPU で求めたものと同じになる
#include "expect.cuh"

#define TABLE                                                                                                        \
    TRY(mulhi, 0xefe82487, __mulhi(a, b)) TRY(umulhi, 0xf5e3e337, __umulhi(a, b))                                    \
    TRY(popc, 0x30bc9914, __popc(a & b)) TRY(clz, 0x63a54153, __clz(a & b & c))                                      \
    TRY(ffs, 0x28aa8274, __ffs(a & b & c)) TRY(brev, 0xaa79cd13, __brev(a)) TRY(popcll, 0x2837fe0e, __popcll(BITS))  \
    TRY(clzll, 0xaa89ae05, __clzll(BITS)) TRY(ffsll, 0x8d312c40, __ffsll(BITS))                                      \
    TRY(brevll, 0x5e5196e0, __brevll(BITS) >> 16) TRY(umax, 0xdcb09702, umax(a, b))                                  \
    TRY(llmin, 0xe379f162, llmin(a, int(b))) TRY(high, 0x386711a8, __double2hiint(DOUBLE))                           \
    TRY(low, 0xd54430e0, __double2loint(DOUBLE)) TRY(mixed, 0x30faab86, min(int(a), b))                              \
    TRY(funnelshift_l, 0x48732d8a, __funnelshift_l(a, b, c))                                                         \
    TRY(funnelshift_r, 0x83813d6a, __funnelshift_r(a, b, c)) TRY(byte_perm, 0x52f05e46, __byte_perm(a, b, c))        \
    TRY(funnelshift_lc, 0x152fad3a, __funnelshift_lc(a, b, c % 40))                                                  \
    TRY(funnelshift_rc, 0x38866230, __funnelshift_rc(a, b, c % 40)) TRY(mul24, 0xc18917cd, __mul24(a, b))            \
    TRY(umul24, 0x148917cd, __umul24(a, b)) TRY(mul64hi, 0x4075a8ad, __mul64hi(WIDE) >> 16)                          \
    TRY(umul64hi, 0x760117a4, __umul64hi(WIDE) >> 16) TRY(sad, 0xdbf4bbcf, __sad(a, b, c))                           \
    TRY(usad, 0x2bb7e46b, __usad(a, b, c)) TRY(hadd, 0x538b00f, __hadd(a, b)) TRY(rhadd, 0x8729279, __rhadd(a, b))   \
    TRY(uhadd, 0x538b00f, __uhadd(a, b)) TRY(urhadd, 0x8729279, __urhadd(a, b))                                      \
    TRY(dp4a, 0x89777a9e, __dp4a(int(a), int(b), int(c))) TRY(udp4a, 0x584a729e, __dp4a(a, b, c))                    \
    TRY(dp2a_lo, 0x132cbc66, __dp2a_lo(int(a), int(b), int(c))) TRY(udp2a_lo, 0xd6b3e866, __dp2a_lo(a, b, c))        \
    TRY(dp2a_hi, 0x2018a7ee, __dp2a_hi(int(a), int(b), int(c))) TRY(udp2a_hi, 0xdec2c6ee, __dp2a_hi(a, b, c))        \
    PART(maxs, 0x69ade846, 0x39213945) PART(maxu, 0x5e8dbee7, 0x1da6187f) PART(mins, 0xa3fd5a42, 0xd48a0943)         \
    PART(minu, 0xaf1d83a1, 0xf0052a09) PART(absdiffs, 0x9eb88e04, 0xd7bb1d02) PART(absdiffu, 0xaf703b46, 0x2da0ee76) \
    PART(avgs, 0x6b279b2, 0x85e2d617) PART(avgu, 0x89389279, 0x71592179) PART(haddu, 0x8472b00f, 0x9c52210f)         \
    PART(sads, 0x897c560, 0x2c182ec8) PART(sadu, 0xd7504e5e, 0x37113dea) PART(add, 0xd0084288, 0x73fc4888)           \
    PART(addss, 0xb02060a5, 0x73caaf91) PART(addus, 0xf7e5d1d1, 0x322be9f4) PART(sub, 0x2247e0c8, 0x345f2ac8)        \
    PART(subss, 0xbab4e251, 0xe5c7cdd7) PART(subus, 0x89498e07, 0x4861e79f) PART(cmpeq, 0x88bc4d88, 0x103c2c31)      \
    PART(cmpne, 0x7103b278, 0xe983d3cf) PART(seteq, 0x29bbb278, 0x5666a2cf) PART(setne, 0xdc844d88, 0xefd95d31)      \
    PART(cmpges, 0x95570b3, 0xa071e4d7) PART(cmpgeu, 0x62b6bf25, 0x6654f24a) PART(cmpgts, 0x8099232b, 0x9035b8a6)    \
    PART(cmpgtu, 0xd9fa719d, 0x5618c619) PART(cmples, 0x7926dcd5, 0x698a475a) PART(cmpleu, 0x1fc58e63, 0xa3a739e7)   \
    PART(cmplts, 0xf06a8f4d, 0x594e1b29) PART(cmpltu, 0x970940db, 0x936b0db6) PART(setges, 0x85f78f4d, 0x31d24429)   \
    PART(setgeu, 0xde2440db, 0x86ec3b6) PART(setgts, 0x5c3bdcd5, 0xdb6ba15a) PART(setgtu, 0xb4688e63, 0xb20820e7)    \
    PART(setles, 0xaa04232b, 0x6ad45ea6) PART(setleu, 0x51d7719d, 0x9437df19) PART(setlts, 0x804870b3, 0x146dbbd7)   \
    PART(setltu, 0x281bbf25, 0x3dd13c4a) ONE(abs, 0xc1ddda42, 0x554d62fc) ONE(absss, 0xfb7bee86, 0xc50f7088)         \
    ONE(neg, 0x37f7ee58, 0x7e1d9258) ONE(negss, 0x7196029c, 0xeddf9fe4)
#define BITS (unsigned long long)(a & b & c) << 32 | (i % 8 ? 0 : c)
#define DOUBLE __hiloint2double(int(a), int(b))
#define WIDE (unsigned long long)a << 32 | b, (unsigned long long)c << 32 | a
#define PART(name, sum2, sum4) TRY(v##name##2, sum2, __v##name##2(a, b)) TRY(v##name##4, sum4, __v##name##4(a, b))
#define ONE(name, sum2, sum4) TRY(v##name##2, sum2, __v##name##2(a)) TRY(v##name##4, sum4, __v##name##4(a))

__device__ unsigned draw(unsigned i) {  // 部分が 0, 0x7f, 0x80, 0xff のものも混ぜる
    unsigned v = i * 2654435761u;
    v = (v ^ v >> 15) * 2246822519u;
    v ^= v >> 13;
    return i % 4 == 1 ? v & 0x80808080 : i % 4 == 2 ? (v & 0x80808080) ^ 0x7f7f7f7f : v;
}
#define TRY(name, sum, ...) atomicAdd(out++, (2 * i + 1) * unsigned(__VA_ARGS__));
__global__ void apply(unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a = draw(i), b = draw(i / 7 + 5), c = draw(3 * i);
    TABLE
}
#undef TRY
#define TRY(name, sum, ...) {#name, sum},
int main() {
    const std::pair<const char*, unsigned> rows[] = {TABLE};
    const size_t n = sizeof rows / sizeof rows[0];
    Managed<unsigned> out(n);
    apply<<<40, 256>>>(out.p);
    CHECK(cudaDeviceSynchronize());
    for (size_t k = 0; k < n; k++) expect(rows[k].first, out[k], rows[k].second);
    return finish();
}
