// 出力: PASS 39
// 標準エラー: 警告: 値を返す関数の return に値がない
// CUDA の言葉のいろいろな書き方。どれも nvcc が受け付ける
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define LAUNCH(kernel, grid, block, ...) \
    kernel<<<grid,                       \
             block>>>(__VA_ARGS__)
#define SHARED(T, name) __shared__ T name[2]
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

struct Pair {
    int a, b;
};
template <class A, class B> struct Both {
    A a;
    B b;
};
template <class T> struct Bar {};
template <class T> struct Baz {};
template <class T> int plain(int x) { return x; }

static int checks = 0;
static int* out;
static void expect(const char* what, int want) {
    int got = -1;
    cudaError_t e = cudaMemcpy(&got, out, sizeof(int), cudaMemcpyDeviceToHost);
    if (e != cudaSuccess || got != want) {
        printf("FAIL %s: %d, not %d (%s)\n", what, got, want, cudaGetErrorString(e));
        exit(1);
    }
    cudaMemset(out, 0, sizeof(int));
    checks++;
}

// ---------------------------------------------------------------- 宣言
__global__ void forward(int* p, int v);
static __global__ void first(int* p, int v) { *p = v; }
__global__ static void second(int* p, int v) { *p = v + 1; }
extern "C" __global__ void third(int* p, int v) { *p = v + 2; }
__global__ void __launch_bounds__(sizeof(int) * 32) fourth(int* p, int v) { *p = v + 3; }
__launch_bounds__(sizeof(int) * 32, sizeof(int) > 2 ? 2 : 1) __global__ void fifth(int* p, int v) { *p = v + 4; }
void __global__ sixth(int* p, int v) { *p = v + 5; }
namespace outer {
namespace inner {
__global__ void kernel(int* p, int v) { *p = v + 6; }
}  // namespace inner
}  // namespace outer
namespace a::b {
__global__ void kernel(int* p, int v) { *p = v + 7; }
}  // namespace a::b
template <int N, class T> __global__ void templated(T* p, T v) { *p = v + N; }
template <class T> struct Runner {
    template <int N> static void run(T* p, T v) { templated<N, T><<<1, 1>>>(p, v); }
};
__global__ void overloaded(int* p, int v) { *p = v + 10; }
__global__ void overloaded(int* p, float v) { *p = int(v) + 11; }
__global__ void pair(int* p, Pair v, const __grid_constant__ int w) { *p = v.a + v.b + w; }
__global__ void maybeNull(int* p, const int* q) { *p = q ? *q : 12; }
__global__ void defaulted(int* p, int v = 13) { *p = v; }

// ---------------------------------------------------------------- デバイスの変数と関数
static __device__ int counters[2] = {5, 6}, limit = 7;
__device__ __align__(16) float4 corners[2], corner;  // 初めの値のない構造体
__device__ constexpr float kScale = 2.0f;
__constant__ int table[4];
__device__ __noinline__ int notInlined(int x) { return x + 1; }
__noinline__ __device__ int alsoNot(int x) { return x + 2; }
__device__ __forceinline__ int inlined(int x) { return x + 3; }
__device__ int (*chosen)(int) = inlined, (*several[2])(int) = {notInlined, alsoNot};
__host__ __device__ inline int both(int x) { return x + 4; }
__device__ int returnsNothing(int x) {
    if (x < 0) return;
    return x;
}
struct Functor {
    int k;
    __host__ __device__ Functor(int k) : k(k) {}
    __device__ int operator()(int x) const { return x * k; }
    __device__ int operator[](int x) const { return x + k; }
};
__global__ void device(int* p) {
    static unsigned ticket;
    const unsigned mine = atomicInc(&ticket, 100);
    *p = counters[0] + counters[1] + limit + int(kScale) + table[2] + notInlined(0) + several[1](0) + chosen(0) + both(0) +
         returnsNothing(0) + Functor(2)(3) + Functor(4)[5] + int(mine);
}

// ---------------------------------------------------------------- 共有メモリ
extern __shared__ int fileDynamic[];
__shared__ int fileStatic[32];
__global__ void shared(int* p) {
    __shared__ int one, many[32], *pointer;
    static __shared__ float withStatic[32];
    volatile __shared__ int withVolatile[32];
    int __shared__ after[32], (*toRow)[4];
    __shared__ alignas(float4) unsigned char raw[64];
    __shared__ struct {
        int x, y;
    } record;
    __shared__ union {
        int i;
        float f;
    } bits;
    __shared__ alignas(16) float aligned[1 << 2];
    __shared__ Both<int, long long> boths[4];
    SHARED(int, two);
    __shared__ int rows[8][4];
    const int t = threadIdx.x;
    many[t] = t;
    withStatic[t] = t;
    withVolatile[t] = t;
    after[t] = t;
    fileStatic[t] = t;
    fileDynamic[t] = t;
    raw[t] = (unsigned char)t;
    rows[t / 4][t % 4] = t;
    if (t == 0) one = 1, pointer = many, record.x = record.y = 2, toRow = rows + 1;
    if (t == 1) bits.f = 1, aligned[3] = 4, boths[3].b = 1LL << 40, two[1] = 1;
    __syncthreads();
    if (t == 0)
        *p = one + pointer[31] + int(withStatic[31]) + withVolatile[31] + after[31] + fileStatic[31] + fileDynamic[31] +
             *(fileDynamic + 3) + raw[31] + record.x + record.y + rows[7][3] + (*toRow)[2] +
             int((unsigned long long)raw % 16) + (bits.i == 0x3f800000) + int(aligned[3]) + int(boths[3].b >> 38) + two[1] +
             int((unsigned long long)aligned % 16);
}
template <class T, int N> __global__ void dependent(T* p) {
    __shared__ T values[N * 2][sizeof(T)];
    extern volatile __shared__ unsigned char bytes[];
    T* typed = (T*)bytes;
    values[threadIdx.x][0] = typed[threadIdx.x] = T(threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) *p = values[N][0] + typed[N * 2 - 1];
}
__global__ void twoDimensions(int* p) {
    extern __shared__ int tile[][4];
    tile[threadIdx.x][threadIdx.x % 4] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) *p = tile[3][3] + tile[2][2];
}

// ---------------------------------------------------------------- 名前が組み込みのものと同じ
struct Config {
    dim3 gridDim, blockDim;
};
__device__ int takes(int threadIdx) { return threadIdx * 2; }
__global__ void names(int* p) {
    if (INDEX == 1) *p = takes(int(threadIdx.x)) + int(blockDim.x);
}

typedef void (*Kernel)(int*, int);
static Kernel choose(int k) { return k ? first : second; }

// この中の <<< と __shared__ は、書き換えない
static const char* text = "kernel<<<1, 1>>>(x); __shared__ int x; // 文字列";
static const char* rawText = R"(a<<<1, 1>>>("b"); /* )";
#if 0
__global__ void broken(int* p) { <<<1, 1>>>(p; }
#endif
/* first<<<1, 1>>>(out, 1); */  // second<<<1, 1>>>(out, 1) \
   third<<<1, 1>>>(out, 1);

int main() {
    cudaMalloc(&out, sizeof(int));
    cudaMemset(out, 0, sizeof(int));
    first<<<1, 1>>>(out, 1), expect("static __global__", 1);
    second<<<1, 1>>>(out, 1), expect("__global__ static", 2);
    third<<<1, 1>>>(out, 1), expect("extern C", 3);
    fourth<<<1, 1>>>(out, 1), expect("__launch_bounds__ after void", 4);
    fifth<<<1, 1>>>(out, 1), expect("__launch_bounds__ first", 5);
    sixth<<<1, 1>>>(out, 1), expect("void __global__", 6);
    outer::inner::kernel<<<1, 1>>>(out, 1), expect("namespace", 7);
    ::a::b::kernel<<<1, 1>>>(out, 1), expect("::namespace", 8);
    forward<<<1, 1>>>(out, 8), expect("forward declaration", 8);
    templated<
        8,
        int
    > <<<
        dim3(1),
        dim3(1)
    >>> (
        out,
        1
    );
    expect("lines", 9);
    templated<(9 > 3 ? 9 : 3)><<<1, 1>>>(out, 1), expect("> in an argument", 10);
    templated<1 << 3><<<1, 1 << 0>>>(out, 1), expect("<< in an argument", 9);
    templated<sizeof(Bar<Baz<Bar<int>>>)><<<1, 1>>>(out, 1), expect(">>> in an argument", 2);
    Runner<int>::run<3>(out, 1), expect("template in a class", 4);
    overloaded<<<1, 1>>>(out, 1), expect("overload int", 11);
    overloaded<<<1, 1>>>(out, 1.0f), expect("overload float", 12);
    pair<<<1, 1>>>(out, {1, 2}, 3), expect("braces", 6);
    pair<<<{1, 1}, {1}>>>(out, Pair{1, 2}, 4), expect("braces in the configuration", 7);
    maybeNull<<<1, 1>>>(out, NULL), expect("NULL", 12);
    maybeNull<<<1, 1, 0, 0>>>(out, nullptr), expect("nullptr", 12);
    defaulted<<<1, 1>>>(out), expect("default argument", 13);

    Kernel pointer = first;
    pointer<<<1, 1>>>(out, 14), expect("pointer", 14);
    (*pointer)<<<1, 1>>>(out, 15), expect("(*pointer)", 15);
    Kernel kernels[] = {first, second};
    kernels[1]<<<1, 1>>>(out, 15), expect("array", 16);
    struct {
        Kernel run;
    } holder = {second}, *to = &holder;
    holder.run<<<1, 1>>>(out, 16), expect("member", 17);
    to->run<<<1, 1>>>(out, 17), expect("member of a pointer", 18);
    choose(1)<<<1, 1>>>(out, 18), expect("function", 18);
    (checks > 3 ? first : second)<<<1, 1>>>(out, 19), expect("(expression)", 19);
    if (checks > 3) first<<<1, 1>>>(out, 20);
    else second<<<1, 1>>>(out, 20);
    expect("if", 20);
    LAUNCH(first, 1, 1, out, 21), expect("macro", 21);
    LAUNCH((templated<4, int>), 1, 1, out, 21), expect("macro with a template", 25);
    auto lambda = [&](int v) { first<<<1, 1>>>(out, v); };
    lambda(22), expect("in a lambda", 22);

    const int values[4] = {0, 0, 9, 0};
    cudaMemcpyToSymbol(table, values, sizeof(values));
    device<<<1, 1>>>(out), expect("device", 5 + 6 + 7 + 2 + 9 + 1 + 2 + 3 + 4 + 0 + 6 + 9 + 0);
    shared<<<1, 32, 32 * sizeof(int)>>>(out), expect("shared", 1 + 31 * 6 + 3 + 31 + 4 + 31 + 6 + 10);
    dependent<int, 4><<<1, 8, 8 * sizeof(int)>>>(out), expect("dependent", 4 + 7);
    twoDimensions<<<1, 4, 64>>>(out), expect("two dimensions", 5);

    dim3 blockDim(8), gridDim(2);
    int threadIdx = 1;
    Config config;
    config.blockDim = blockDim, config.gridDim = gridDim;
    names<<<gridDim, config.blockDim.x>>>(out), expect("names", threadIdx * 2 + 8);
    names<<<config.gridDim, blockDim>>>(out), expect("names of members", 10);
    pointer = nullptr;
    if (plain<Bar<Baz<int>>>(text[0] + rawText[0] - 'k' - 'a') == 0) checks++;
    cudaFree(out);
    printf("PASS %d\n", checks);
    return 0;
}
__global__ void forward(int* p, int v) { *p = v; }
