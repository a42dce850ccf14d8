// カーネルの中で使う名前のうち、リストに出てこないもの。CPU デバイスと GPU の両方で同じ結果になる。違えば 1 を返す
#include "expect.cuh"
__global__ void bits(int* out) {
    out[0] = __clz(1) + 100 * __clz(0) + 10000 * __clz(-1);
    out[1] = __ffs(0) + 10 * __ffs(8);
    out[2] = __popc(0xf0f0u) + 100 * __popcll(0xffffffffffull);
    out[3] = __float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f;
    out[4] = __double_as_longlong(1.0) == 0x3ff0000000000000ll && __longlong_as_double(0x4000000000000000ll) == 2.0;
    out[5] = __float_as_uint(-1.0f) == 0xbf800000u && __uint_as_float(0x40400000u) == 3.0f;
    out[6] = __ldg(out + 7) + __ldcg(out + 7) + __ldcs(out + 7);
    const long long before = clock64();
    __nanosleep(1000);
    out[8] = clock64() >= before;
    out[9] = warpSize;
    out[10] = min(3, 5) + max(3, 5) + int(min(1.5f, 2.5f) * 2) + int(max(1.0, 4.0)) + int(min(2u, 1u)) + int(max(7ll, 6ll));
}
__global__ void votes(int* out, unsigned* u) {
    const int t = threadIdx.x, lane = t % 32;
    int* o = out + t * 8;
    o[0] = __syncthreads_and(t < 64);
    o[1] = __syncthreads_and(t < 63);
    o[2] = __syncthreads_or(t == 63);
    o[3] = __syncthreads_or(t == 64);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    o[4] = __reduce_min_sync(0xffffffffu, lane - 7);
    o[5] = __reduce_max_sync(0xffffffffu, unsigned(lane - 7)) == ~0u;  // 符号のない比べ方
    o[6] = __reduce_and_sync(0xffffffffu, 0xf0u | lane) + __reduce_or_sync(0xffffffffu, 1u << lane % 4) * 1000;
    o[7] = __reduce_xor_sync(0xffffffffu, lane == 3 ? 6u : 1u);
#else
    o[4] = -7, o[5] = 1, o[6] = 0xf0 + 15000, o[7] = 7;
#endif
    atomicDec(u, 9);
    atomicXor(u + 1, 1u << lane);
    atomicAnd(u + 2, ~(1u << lane));
    if (t == 0) {
        u[3] = 1;
        __threadfence_block();
        __threadfence_system();
    }
}
__global__ void vectors(float4* f, int4* i, uint4* u, double2* d, longlong2* l) {
    *f = make_float4(1, 2, 3, 4);
    *i = make_int4(1, 2, 3, 4);
    *u = make_uint4(5, 6, 7, 8);
    *d = make_double2(0.5, 0.25);
    *l = make_longlong2(1ll << 40, -1);
    const int2 a = make_int2(1, 2);
    const float2 b = make_float2(3, 4);
    const int3 c = {1, 2, 3};
    const uint2 e = {4, 5};
    const uint3 g = {6, 7, 8};
    const float3 h = {1, 2, 3};
    f->w += a.x + a.y + b.x + b.y + c.z + e.y + g.z + h.z;
}

int main() {
    int* out;
    unsigned* u;
    CHECK(cudaMallocManaged(&out, 64 * 16 * sizeof(int)));
    CHECK(cudaMallocManaged(&u, 4 * sizeof(unsigned)));
    auto wait = [] {
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
    };
    out[7] = 11;
    bits<<<1, 1>>>(out);
    wait();
    const int found[] = {31 + 3200, 40, 8 + 4000, 1, 1, 1, 33, 11, 1, 32, 3 + 5 + 3 + 4 + 1 + 7};
    for (int k = 0; k < 11; k++) expect(("小さな関数 " + std::to_string(k)).c_str(), out[k], found[k]);

    u[0] = 3, u[1] = 5, u[2] = ~0u, u[3] = 0;
    votes<<<1, 64>>>(out, u);
    wait();
    for (int t : {0, 40, 63}) {
        const int want[] = {1, 0, 1, 0, -7, 1, 0xf0 + 15000, 7};
        for (int k = 0; k < 8; k++) expect(("投票 " + std::to_string(k)).c_str(), out[t * 8 + k], want[k]);
    }
    expect("atomicDec", u[0], 9);  // 3 から 4 回で 9 に戻り、残りの 60 回は 10 回で 1 周
    expect("atomicXor", u[1], 5);
    expect("atomicAnd", u[2], 0);
    expect("フェンス", u[3], 1);

    char* v;
    CHECK(cudaMallocManaged(&v, 96));
    float4* f = (float4*)v;
    double2* d = (double2*)(v + 64);
    vectors<<<1, 1>>>(f, (int4*)(v + 16), (uint4*)(v + 32), d, (longlong2*)(v + 80));
    wait();
    expect("float4", (long long)f->w, 4 + 10 + 3 + 5 + 8 + 3);
    expect("int4 と uint4", ((int4*)(v + 16))->w + ((uint4*)(v + 32))->x, 9);
    expect("double2 と longlong2", (long long)(d->x * 2 + d->y * 4) + (((longlong2*)(v + 80))->x >> 40), 3);

    CHECK(cudaFree(out));
    CHECK(cudaFree(u));
    CHECK(cudaFree(v));
    return finish();
}
