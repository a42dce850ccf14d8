// GPU の言葉に直しても、CPU デバイスと同じ答えを出すカーネル。1 行か数行が、1 つの試し方である。
// 出力: カーネルの名前と、int の答えから作った数と、float の答えの合計
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

constexpr int kThreads = 64, kCount = 1000;
#define GIVEN const int *in, const float *x, int *out, float *y, int n
static std::vector<std::pair<const char*, void (*)(GIVEN)>> cases;
#define ADD(name) static const auto& add_##name = cases.emplace_back(#name, name);
#define KERNEL(name, ...)                                         \
    __global__ void name(GIVEN) {                                 \
        int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid; \
        __VA_ARGS__                                               \
        (void)tid, (void)i;                                       \
    }                                                             \
    ADD(name)
// 1 スレッドが 1 つの答えを書く
#define EACH(name, ...)                                                                  \
    KERNEL(name, if (i < n) {                                                            \
        int a = in[i], b = in[(i * 7 + 3) % n];                                          \
        unsigned u = unsigned(a) * 2654435761u, w = unsigned(b) * 2246822519u;           \
        float f = x[i], g = x[(i * 5 + 1) % n];                                          \
        __VA_ARGS__ (void)u, (void)w, (void)f, (void)g;                                  \
    })

// ---------------------------------------------------------------- 整数
EACH(arithmetic, out[i] = (a + b) * 3 - a * b - ~b + -a;)
EACH(divide, out[i] = a / (b == 0 ? 1 : b) + b % (a == 0 ? 1 : a);)
EACH(divide_by_constant, out[i] = a / 7 + a / -3 + a / 8 + b % 7 + b % -5 + b % 16;)
EACH(divide_unsigned, out[i] = u / (w | 1u) + w % (u | 1u) + u % 10u;)
EACH(wrap, out[i] = u + w * 3u - 0xfffffff0u;)
EACH(shift, out[i] = (a << (b & 31)) ^ (b >> (a & 31)) ^ (u >> (b & 31));)
EACH(shift_constant, out[i] = (a << 3) ^ (a >> 5) ^ (u >> 7);)
EACH(rotate, out[i] = ((u << 13) | (u >> 19)) ^ ((w << (b & 15)) | (w >> (32 - (b & 15) & 31)));)
EACH(bits, out[i] = (a & b) | (a ^ 0x5a5a5a5a);)
EACH(count_bits, out[i] = __popc(u) + __clz(u) + __ffs(a) + __brev(w);)
EACH(compare, out[i] = (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b) + 32 * (a >= b);)
EACH(compare_unsigned, out[i] = (u < w) + 2 * (u <= w) + 4 * (u > w) + 8 * (u >= w);)
EACH(logic, out[i] = (a < 3 && b > 5) || !(a > -10 && b < 20);)
EACH(select, out[i] = (a > b ? a * 5 : b) + min(a, b) + max(a, 3) + abs(a) - abs(b * 3);)
EACH(narrow, out[i] = int(char(a)) + int(short(b * 1000)) + (unsigned char)(a) + (unsigned short)(b);)
EACH(boolean, bool p = a > 0; bool q = b > 0; out[i] = p == q;)

// ---------------------------------------------------------------- 浮動小数点数
EACH(float_arithmetic, y[i] = f + g - (f * g - 1.5f) / (g * g + 1.0f);)
EACH(float_compare, out[i] = (f < g) + 2 * (f <= g) + 4 * (f == g) + 8 * (f != g) + 16 * (f > g) + 32 * (f >= g);)
EACH(float_nan_own, float z = f - f, v = z / z, h = a > 0 ? v : f; y[i] = h != h ? 1 : 2; out[i] = (h == h) + 2 * (v == v);)
EACH(float_nan, float z = f - f, v = z / z; out[i] = (v < g) + 2 * (v == v) + 4 * (v != v) + 8 * !(v >= g);)
EACH(float_nan_branch, float z = f - f, v = z / z; if (v > 0) out[i] = 1; else if (v <= 0) out[i] = 2; else out[i] = 3;)
EACH(float_infinity, float v = 1.0f / (f - f); out[i] = (v > g) + 2 * (-v < g) + 4 * (v == v);)
EACH(float_to_int, out[i] = int(f * 100) + int(-g * 7); y[i] = float(a) - float(u >> 25);)
EACH(float_bits, out[i] = __float_as_int(f) ^ __float_as_int(-g); y[i] = __int_as_float((a & 0x7fffff) | 0x3f800000);)
EACH(float_functions, y[i] = fminf(f, g) + fmaxf(f, 0.25f) + fabsf(f - g) + sqrtf(fabsf(f)) + copysignf(f, a > 0 ? 1.0f : -1.0f) + fmodf(f * 1e6f, 0.3f);)
EACH(float_round, out[i] = int(floorf(f * 9)) + int(ceilf(g * 9)) * 3 + int(truncf(f * 5)) + int(roundf(f)) * 7;)
EACH(float_constants, y[i] = f * 1e-3f + 3.25f - 1e10f * (f - f);)
EACH(float_chain, float s = 0; for (int k = 0; k < 10; k++) s += f * k; y[i] = s;)
EACH(half_open, y[i] = a > 0 ? f : -f;)

// ---------------------------------------------------------------- 制御
EACH(loop_unknown, int s = 0; for (int k = a & 7; k < n; k += 100) s += in[k]; out[i] = s;)
EACH(loop_down, int s = 0; for (int k = b & 31; k >= 0; k -= 3) s = s * 3 + k; out[i] = s;)
EACH(loop_back, int s = 0; for (int k = 0; k < (a & 7); k++) s += in[n - 1 - k * (b & 31)]; out[i] = s;)
EACH(loop_counted, int s = 0; int last = b; for (unsigned d = blockDim.x; d > 0; d >>= 1) { if (a >> (d & 7) & 1) last = int(d) ^ b; s = s * 3 + last; } out[i] = s * 5 + last;)
EACH(loop_nested, int s = 0; for (int j = 0; j < (a & 7); j++) for (int k = j; k < 9; k++) s += j * k; out[i] = s;)
EACH(loop_while, unsigned v = u; int s = 0; while (v) { s++; v >>= 3; } out[i] = s;)
EACH(loop_do, unsigned v = u | 1; int s = 0; do { s += v & 3; v >>= 2; } while (v > 5); out[i] = s;)
EACH(loop_break, int s = 0; for (int k = 0; k < 40; k++) { if ((k + a) % 3 == 0) continue; if (k * a > 90) break; s += k; } out[i] = s;)
EACH(break_both, int s = 0; bool stop = false;
     for (int j = 0; j < (b & 15) && !stop; j++) for (int k = 0; k < 9; k++) { if (j * k > 20) { stop = true; break; } s += k; }
     out[i] = s;)
EACH(leave_by_goto, int s = 0; for (int j = 0; j < (b & 31); j++) { for (int k = 0; k < (a & 31); k++) { s += j ^ k; if (s > 300) goto done; } s++; } done: out[i] = s;)
EACH(early_exit, out[i] = -1; if (a < 0) return; out[i] = 1; if (b < 0) return; out[i] = 2;)
EACH(exit_in_loop, out[i] = 0; for (int k = 0; k < 20; k++) { out[i] += k; if (k == (a & 31)) return; } out[i] = -7;)
EACH(choose_falling, int s = 1; switch (a & 3) { case 3: s *= 5; case 2: s += b; case 1: s -= 7; default: s ^= 9; } out[i] = s;)
EACH(choose_far, switch (b % 90) { case 11: out[i] = 1; break; case -40: out[i] = 2; break; case 77: out[i] = 3; break; default: out[i] = 4; })
EACH(choose_table, int s = 0; switch (a & 15) { case 0: s = 9; break; case 1: s = 2; break; case 2: s = 77; break; case 3: s = -4; break;
     case 4: s = 8; break; case 5: s = 1; break; case 6: s = 6; break; case 9: s = 44; break; default: s = -1; } out[i] = s;)
EACH(choose_in_loop, int v = 0;
     for (int k = 0; k < 20; k++) { switch ((a + k) & 3) { case 0: continue; case 1: v += k; break; case 2: if (v > 30) goto end; v += 2; break; default: v--; } v += 100; }
     end: out[i] = v;)
EACH(deep, if (a > 0) { if (b > 0) { if (a > b) out[i] = 1; else out[i] = 2; } else out[i] = 3; } else if (b > 0) out[i] = 4; else out[i] = a == b ? 5 : 6;)
EACH(collatz, unsigned v = (u & 1023) + 1; int s = 0; while (v != 1 && s < 200) { v = v & 1 ? 3 * v + 1 : v / 2; s++; } out[i] = s;)

// ---------------------------------------------------------------- 関数、型、配列
__device__ __attribute__((noinline)) int apart(int v, const int* p) {
    for (int k = 0; k < 5; k++)
        if (p[k] > v) return k;
    return v;
}
__device__ void swapInts(int& p, int& q) {
    int t = p;
    p = q, q = t;
}
struct Pair {
    int first;
    float second;
    __device__ int mixed() const { return first * 3 + int(second * 4); }
    __device__ Pair operator+(const Pair& o) const { return {first + o.first, second + o.second}; }
};
struct Wide {
    int v[6];
};
__device__ __attribute__((noinline)) Wide fill(int a) {
    Wide w;
    for (int k = 0; k < 6; k++) w.v[k] = a + k * k;
    return w;
}
EACH(call_apart, out[i] = apart(a, in + (i < n - 5 ? i : n - 5));)
EACH(call_reference, int p = a, q = b; if (p > q) swapInts(p, q); out[i] = p * 3 - q;)
EACH(structure_sum, Pair p = Pair{a, f} + Pair{b, g}; out[i] = p.mixed(); y[i] = p.second;)
EACH(structure_array, Wide v = fill(a); out[i] = v.v[b & 3] + v.v[5];)
EACH(small_array_indexed, int v[8]; for (int k = 0; k < 8; k++) v[k] = a * k; out[i] = v[b & 7];)
EACH(small_array_sorted, int v[5] = {a, b, 7, -2, a ^ b}; for (int j = 0; j < 4; j++) for (int k = 0; k < 4 - j; k++) if (v[k] > v[k + 1]) swapInts(v[k], v[k + 1]); out[i] = v[0] * 3 + v[2] - v[4];)
EACH(small_array_zero, int v[20] = {}; v[a & 15] = b; v[b & 15] += 5; int s = 0; for (int k = 0; k < 20; k++) s += v[k] * k; out[i] = s;)
EACH(bytes_in_array, unsigned char v[8]; for (int k = 0; k < 8; k++) v[k] = a + k * b; int s = 0; for (int k = 0; k < 8; k++) s = s * 3 + v[(k + a) & 7]; out[i] = s;)
EACH(vector, int4 v = reinterpret_cast<const int4*>(in)[i / 4]; out[i] = v.x + 2 * v.y - v.z * v.w;
     float4 w4 = reinterpret_cast<const float4*>(x)[i / 4]; y[i] = (w4.x + w4.y) - (w4.z + w4.w);)
EACH(vector_pair, float2 v = reinterpret_cast<const float2*>(x)[i / 2]; float4 m = make_float4(v.x, v.y, 1, 2); m.y += m.x; y[i] = m.x * m.w - m.y;)
EACH(pointer_moves, const int* p = in + (i & 31); int s = 0; for (int k = 0; k < 10; k++, p += 3) s += *p * k; out[i] = s;)
EACH(pointer_back, const int* p = in + i; int s = 0; while (p >= in && s < 50) s += *p & 7, p -= 5; out[i] = s;)
EACH(pointer_difference, const int* p = in + i; while (p - in > 10) p -= 9; out[i] = int(p - in);)
EACH(pointer_null, const int* p = a > 0 ? in + i : nullptr; out[i] = p ? *p : -3;)
EACH(pointer_choice, const int* p = a > b ? in + i : in + n - 1 - i; out[i] = *p;)
EACH(stored_twice, out[i] = a; out[i] += b; out[i] *= 2;)
EACH(scatter, out[n - 1 - i] = a;)
EACH(grid_size, out[i] = gridDim.x * 100 + blockDim.x + blockIdx.x - threadIdx.x + blockDim.y * 3 + threadIdx.y + blockDim.z * 5 + threadIdx.z;)

// ---------------------------------------------------------------- ブロックと共有メモリ
__global__ void shared_before(GIVEN) {
    __shared__ int t[16], s[kThreads];
    extern __shared__ int d[];
    int tid = threadIdx.x, i = blockIdx.x * kThreads + tid;
    if (tid < 16) t[15 - tid] = tid;
    s[kThreads - 1 - tid] = d[tid] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n && tid > 0) out[i] = s[tid - 1] + d[tid - 1] + t[tid & 15] + in[i - 1];
}
ADD(shared_before)
__global__ void shared_scan(GIVEN) {
    __shared__ int s[2][kThreads];
    int tid = threadIdx.x, i = blockIdx.x * kThreads + tid, now = 0;
    s[0][tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < kThreads; d *= 2, now = 1 - now) {
        s[1 - now][tid] = s[now][tid] + (tid >= d ? s[now][tid - d] : 0);
        __syncthreads();
    }
    if (i < n) out[i] = s[now][tid];
}
ADD(shared_scan)
__global__ void shared_histogram(GIVEN) {
    struct Counts {
        int s[8], whole;
    };
    __shared__ Counts h;
    int tid = threadIdx.x, i = blockIdx.x * kThreads + tid;
    if (tid < 8) h.s[tid] = 0;
    if (tid == 8) h.whole = 0;
    __syncthreads();
    if (i < n) atomicAdd(&h.s[in[i] & 7], 1), atomicAdd(&h.whole, 3);
    __syncthreads();
    if (tid < 8) atomicAdd(&out[tid], h.s[tid] + h.whole);
}
ADD(shared_histogram)
EACH(atomics, atomicAdd(&out[a & 3], b); atomicSub(&out[4 + (a & 3)], b); atomicMax(&out[8 + (a & 3)], b); atomicMin(&out[12 + (a & 3)], b);
     atomicOr(&out[16], 1 << (a & 31)); atomicAnd(&out[17], ~(1 << (b & 7))); atomicXor(&out[18], a); if (a == in[0]) atomicExch(&out[19], 99);)
EACH(atomic_old, if (i < 64) out[64 + atomicAdd(&out[0], 1)] = 5;)
EACH(atomic_float, atomicAdd(&y[a & 7], float(b & 255));)
EACH(atomic_swap, int old = out[0], seen; do { seen = old; old = atomicCAS(&out[0], seen, seen + (a & 7)); } while (old != seen);)
EACH(atomic_wrap, atomicInc((unsigned*)&out[0], 6u); atomicDec((unsigned*)&out[1], 9u);)
__global__ void shared_struct(GIVEN) {
    __shared__ Pair s[kThreads];
    int tid = threadIdx.x, i = blockIdx.x * kThreads + tid;
    s[tid].first = i < n ? in[i] : 0;
    s[tid].second = i < n ? x[i] : 0;
    __syncthreads();
    for (int stride = kThreads / 2; stride > 0; stride /= 2) {
        if (tid < stride && s[tid + stride].first > s[tid].first) s[tid] = s[tid + stride];
        __syncthreads();
    }
    if (i < n) out[i] = s[0].first, y[i] = s[0].second;
}
ADD(shared_struct)

// ---------------------------------------------------------------- ワープ。幅が 32 でない GPU では断る
#define WARP(name, ...)                                                                         \
    KERNEL(name, int lane = tid % 32, a = in[i % n], r = lane; float f = x[i % n], v = 0; __VA_ARGS__ \
           if (i < n) out[i] = r, y[i] = v; (void)a, (void)f;)
constexpr unsigned kAll = 0xffffffffu;
WARP(warp_shuffle, r = __shfl_down_sync(kAll, a, 5) + 3 * __shfl_up_sync(kAll, a, 3) + 5 * __shfl_sync(kAll, a, lane * 7 + 3); v = __shfl_xor_sync(kAll, f, 9);)
WARP(warp_part, r = __shfl_down_sync(kAll, a, 2, 8) + __shfl_sync(kAll, a, 1, 4) + __shfl_up_sync(kAll, a, 1, 16);)
WARP(warp_pair_index, unsigned long long p = __shfl_sync(kAll, (unsigned long long)a << 32 | unsigned(i), (lane + 1) % 32); r = int(p >> 32) * 5 + int(p);)
WARP(warp_vote, r = __popc(__ballot_sync(kAll, f < 1)) + __any_sync(kAll, a > 95) + 2 * __all_sync(kAll, a > -95);)
WARP(warp_reduce, r = __reduce_add_sync(kAll, a) + 3 * __reduce_min_sync(kAll, a) + 5 * __reduce_max_sync(kAll, a) + int(__reduce_max_sync(kAll, unsigned(a))) + int(__reduce_min_sync(kAll, unsigned(a)));)
WARP(warp_reduce_bits, r = __reduce_and_sync(kAll, unsigned(a)) + 3 * __reduce_or_sync(kAll, unsigned(a)) + 5 * __reduce_xor_sync(kAll, unsigned(a));)

// ---------------------------------------------------------------- 断るもの。// 断る: の後は、断る文の一部
EACH(uses_double, out[i] = int(sin(double(f)) * 3);)  // 断る: double
EACH(uses_long, out[i] = int((long long)(a) * b * 3000000000LL / 7);)  // 断る: 64 ビットの整数
EACH(uses_fence, out[i] = a; __threadfence(); out[i] += b;)  // 断る: フェンス
EACH(uses_printf, if (i == n + 5) printf("%d\n", a); out[i] = a;)  // 断る: printf
EACH(writes_bytes, ((char*)out)[4 * i] = a;)  // 断る: 4 バイトより小さい
EACH(matches, out[i] = __match_any_sync(__activemask(), a);)  // 断る: __match
__device__ int counter;
EACH(global_variable, atomicAdd(&counter, 1); out[i] = a;)  // 断る: カーネルの外の変数
__constant__ int primes[4] = {2, 3, 5, 7};
EACH(constant_table, out[i] = primes[a & 3];)  // 断る: カーネルの外の変数
WARP(builtin_or_element, __syncthreads(); unsigned q = a > 3 ? threadIdx.x : in[threadIdx.x]; r = q;)  // 断る: どの配列
EACH(rare_function, out[i] = int(cbrtf(f));)  // 断る: cbrtf
__device__ int endless(int v, const int* p);
EACH(recursion, out[i] = endless(a & 15, in);) __device__ __attribute__((noinline)) int endless(int v, const int* p) { return v <= 0 ? 1 : endless(v - 1 - (p[v] & 1), p) * 3 + p[v]; }  // 断る: 再帰

template <class T> T* onDevice(const std::vector<T>& v) {
    T* p;
    cudaMalloc(&p, kCount * sizeof(T));
    cudaMemcpy(p, v.data(), kCount * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}
int main(int argc, char** argv) {
    std::vector<int> in(kCount), out(kCount);
    std::vector<float> x(kCount), y(kCount);
    unsigned seed = 1;
    for (int k = 0; k < kCount; k++) {
        seed = seed * 1664525u + 1013904223u;
        in[k] = int(seed >> 20) % 201 - 100;
        x[k] = in[k] / 16.0f;
    }
    const int* inDev = onDevice(in);
    const float* xDev = onDevice(x);
    for (auto [name, kernel] : cases) {
        if (argc > 1 && strcmp(argv[1], name)) continue;
        int* outDev = onDevice(std::vector<int>(kCount));
        float* yDev = onDevice(std::vector<float>(kCount));
        kernel<<<(kCount + kThreads - 1) / kThreads, kThreads, kThreads * sizeof(int)>>>(inDev, xDev, outDev, yDev, kCount);
        cudaMemcpy(out.data(), outDev, kCount * 4, cudaMemcpyDeviceToHost);
        cudaMemcpy(y.data(), yDev, kCount * 4, cudaMemcpyDeviceToHost);
        unsigned hash = 1;
        double sum = 0;
        for (int k = 0; k < kCount; k++) hash = hash * 31 + unsigned(out[k]), sum += y[k] * (1 + k % 7);
        printf("%s %u %.5g\n", name, hash, sum);
    }
}
