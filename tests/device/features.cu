// CPU デバイスと GPU の両方で同じ結果になるべき機能。違えば 1 を返し、何が違ったかを書く
#include "expect.cuh"

constexpr unsigned kFull = 0xffffffffu;

__global__ void indices(int* out) {  // 3 次元の添字
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    out[b * blockDim.x * blockDim.y * blockDim.z + t] = 1000 * b + t;
}
template <int kBlock, class T> __global__ void rotate(T* out) {  // テンプレートと静的共有メモリ、3 次元のブロック
    __shared__ T smem[kBlock];
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    smem[t] = T(t);
    for (int step = 0; step < 3; step++) {
        __syncthreads();
        T v = smem[(t + 1) % kBlock];
        __syncthreads();
        smem[t] = v;
    }
    out[t] = smem[t];
}
__global__ void warpFunctions(int* out) {
    int lane = threadIdx.x % 32, *o = out + threadIdx.x * 16;
    o[0] = __shfl_sync(kFull, lane, 5);
    o[1] = __shfl_down_sync(kFull, lane, 3);
    o[2] = __shfl_up_sync(kFull, lane, 3);
    o[3] = __shfl_xor_sync(kFull, lane, 7);
    o[4] = __shfl_down_sync(kFull, lane, 3, 8);
    o[5] = __shfl_sync(kFull, lane, 9, 8);
    o[6] = __ballot_sync(kFull, lane % 3 == 0);
    o[7] = __any_sync(kFull, lane == 31) + 2 * __all_sync(kFull, lane < 31);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    o[8] = __reduce_add_sync(kFull, lane);
    o[9] = __reduce_max_sync(kFull, -lane);
#else
    o[8] = 496;
    o[9] = 0;
#endif
    if (lane < 16) o[10] = __shfl_xor_sync(0x0000ffffu, lane, 1);  // 半分だけの組
    else o[10] = __shfl_xor_sync(0xffff0000u, lane, 2);
    o[11] = __syncthreads_count(threadIdx.x % 2);
    double d = __shfl_down_sync(kFull, lane + 0.5, 1);  // 8 バイトも渡せる
    o[12] = int(2 * d);
    o[13] = __match_any_sync(kFull, lane / 8);
}
__global__ void earlyExit(int* out, int n) {  // 途中で終わるスレッドがいても、残りはバリアで待てる
    __shared__ int smem[256];
    if (int(threadIdx.x) >= n) return;
    smem[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = smem[n - 1 - threadIdx.x];
}
__global__ void atomics(int* i, unsigned* u, float* f, double* d, unsigned long long* l) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(i, 1);
    atomicMax(i + 1, t);
    atomicMin(i + 2, -t);
    atomicSub(i + 3, 2);
    if (atomicCAS(i + 4, 0, 1) == 0) i[5] = 1;
    atomicInc(u, 99);
    atomicOr(u + 1, 1u << t % 32);
    atomicExch(u + 2, 5u);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
    atomicAdd(l, 1ULL << 33);
}
__global__ void bits(int* out) {
    out[0] = __float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f;
    out[1] = __double_as_longlong(1.0) == 0x3ff0000000000000ll && __longlong_as_double(0x4000000000000000ll) == 2.0;
    out[2] = __float_as_uint(-1.0f) == 0xbf800000u && __uint_as_float(0x40400000u) == 3.0f;
    out[3] = __ldg(out + 7) + __ldcg(out + 7) + __ldcs(out + 7);
    const long long before = clock64();
    __nanosleep(1000);
    out[4] = clock64() >= before;
    out[5] = warpSize;
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
static void names() {  // リストに出てこない名前
    Managed<int> out(64 * 8);
    Managed<unsigned> u(4);
    out[7] = 11;
    bits<<<1, 1>>>(out.p);
    CHECK(cudaDeviceSynchronize());
    const int found[] = {1, 1, 1, 33, 1, 32};
    for (int k = 0; k < 6; k++) expect(("小さな関数 " + std::to_string(k)).c_str(), out[k], found[k]);

    u[0] = 3, u[1] = 5, u[2] = ~0u, u[3] = 0;
    votes<<<1, 64>>>(out.p, u.p);
    CHECK(cudaDeviceSynchronize());
    for (int t : {0, 40, 63}) {
        const int want[] = {1, 0, 1, 0, -7, 1, 0xf0 + 15000, 7};
        for (int k = 0; k < 8; k++) expect(("投票 " + std::to_string(k)).c_str(), out[t * 8 + k], want[k]);
    }
    expect("atomicDec", u[0], 9);  // 3 から 4 回で 9 に戻り、残りの 60 回は 10 回で 1 周
    expect("atomicXor", u[1], 5);
    expect("atomicAnd", u[2], 0);
    expect("フェンス", u[3], 1);

    Managed<float4> f(1);
    Managed<int4> i(1);
    Managed<uint4> w(1);
    Managed<double2> d(1);
    Managed<longlong2> l(1);
    vectors<<<1, 1>>>(f.p, i.p, w.p, d.p, l.p);
    CHECK(cudaDeviceSynchronize());
    expect("float4", (long long)f[0].w, 4 + 10 + 3 + 5 + 8 + 3);
    expect("int4 と uint4", i[0].w + w[0].x, 9);
    expect("double2 と longlong2", (long long)(d[0].x * 2 + d[0].y * 4) + (l[0].x >> 40), 3);
}
int main() {
    names();
    {
        Managed<int> a(2 * 3 * 2 * 24);
        indices<<<dim3(2, 3, 2), dim3(4, 3, 2)>>>(a.p);
        CHECK(cudaDeviceSynchronize());
        for (int k = 0; k < 2 * 3 * 2 * 24; k++) expect("3 次元の添字", a[k], 1000 * (k / 24) + k % 24);
    }
    {
        Managed<int> a(256);
        rotate<24><<<1, dim3(4, 3, 2)>>>(a.p);
        CHECK(cudaDeviceSynchronize());
        expect("バリアの繰り返し", a[20] + 100 * a[22], 23 + 100 * 1);
        earlyExit<<<1, 256>>>(a.p, 200);
        CHECK(cudaDeviceSynchronize());
        expect("途中で終わるスレッド", a[0], 199);
    }
    {
        Managed<int> a(96 * 16);
        warpFunctions<<<1, 96>>>(a.p);
        CHECK(cudaDeviceSynchronize());
        for (int t : {0, 30, 31, 40, 95}) {
            const int l = t % 32;
            const int want[14] = {5, l + 3 < 32 ? l + 3 : l, l >= 3 ? l - 3 : l, l ^ 7, l % 8 + 3 < 8 ? l + 3 : l, l / 8 * 8 + 1, 0x49249249, 1, 496, 0,
                                  l < 16 ? l ^ 1 : l ^ 2, 48, l < 31 ? 2 * l + 3 : 2 * l + 1, 0xff << l / 8 * 8};
            for (int k = 0; k < 14; k++) expect(("ワープの関数 " + std::to_string(k)).c_str(), a[t * 16 + k], want[k]);
        }
    }
    {
        Managed<int> i(6);
        Managed<unsigned> u(3);
        Managed<float> f(1);
        Managed<double> d(1);
        Managed<unsigned long long> l(1);
        atomics<<<40, 250>>>(i.p, u.p, f.p, d.p, l.p);
        CHECK(cudaDeviceSynchronize());
        const int want[6] = {10000, 9999, -9999, -20000, 1, 1};
        for (int k = 0; k < 6; k++) expect(("アトミック演算 " + std::to_string(k)).c_str(), i[k], want[k]);
        expect("atomicInc", u[0], 0);
        expect("atomicOr", u[1], 0xffffffffu);
        expect("atomicExch", u[2], 5);
        expect("atomicAdd(float)", (long long)f[0], 5000);
        expect("atomicAdd(double)", (long long)d[0], 2500);
        expect("atomicAdd(unsigned long long)", (long long)(l[0] >> 33), 10000);
    }
    return finish();
}
