// 整数の関数。答えの和は、GPU で求めたものと同じになる
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
    TRY(dp4a, 0x89777a9e, __dp4a(int(a), int(b), int(c))) TRY(udp4a, 0x584a729e, __dp4a(a, b, c))            \
    TRY(fours, 0xc6827fb5, SIMD(4)) TRY(twos, 0x86aceaa1, SIMD(2)) TRY(signs4, 0xb12b076d, SIGNS(s, 4)) TRY(signs2, 0xe5c8cd3a, SIGNS(s, 2)) \
    TRY(plain4, 0x243d1008, SIGNS(u, 4)) TRY(plain2, 0xa10058a1, SIGNS(u, 2))
#define SIMD(k)                                                                                                    \
    __vadd##k(a, b) + 3 * __vsub##k(a, b) + 5 * __vcmpeq##k(a, b) + 7 * __vsetne##k(a, b) + 11 * __vneg##k(a) + 13 * __vnegss##k(a) + 17 * __vabs##k(a) + 19 * __vabsss##k(a) + 23 * __vhaddu##k(a, b)
#define SIGNS(sign, k) __vcmpgt##sign##k(a, b) + 3 * __vsetge##sign##k(a, b) + 5 * __vcmplt##sign##k(a, b) + 7 * __vsetle##sign##k(a, b) + 11 * __vmax##sign##k(a, b) + 13 * __vmin##sign##k(a, b) + 17 * __vadd##sign##s##k(a, b) + 19 * __vsub##sign##s##k(a, b) + 23 * __vabsdiff##sign##k(a, b) + 29 * __vavg##sign##k(a, b) + 31 * __vsad##sign##k(a, b)
#define BITS (unsigned long long)(a & b & c) << 32 | (i % 8 ? 0 : c)
#define DOUBLE __hiloint2double(int(a), int(b))
#define WIDE (unsigned long long)a << 32 | b, (unsigned long long)c << 32 | a

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
