// 出力: functor 136
// 出力: member 136
// 出力: deduced 136
// 出力: scope 136
// 出力: macro 136
// 出力: pointer 136 120
// 出力: virtual 136 136
// 出力: lambda 136
// 出力: struct 136 272
// 出力: recursion 136
// 出力: alloca 136
// 待つのは、ふつうの C++ のどこでもよい: 関数オブジェクト、メンバー関数、型を書かない関数、コンストラクタ、マクロ、
// 関数を指す変数、仮想関数、ラムダ式、構造体の受け渡し、再帰、大きさを実行時に決める変数
#include <cstdio>
constexpr int kThreads = 16;
struct Fold {
    int* smem;
    __device__ int operator()(int v) const {
        smem[threadIdx.x] = v;
        for (int d = blockDim.x / 2; d > 0; d /= 2) {
            __syncthreads();
            if (threadIdx.x < d) smem[threadIdx.x] += smem[threadIdx.x + d];
        }
        __syncthreads();
        return smem[0];
    }
};
struct Team {
    int* smem;
    __device__ void sync() { __syncthreads(); }
    __device__ void reduce(int half) {
        if (threadIdx.x < half) smem[threadIdx.x] += smem[threadIdx.x + half];
        sync();
    }
};
template <class T> __device__ auto foldAll(T v, T* smem) { return Fold{smem}(v); }
struct Scope {
    int* smem;
    int* out;
    __device__ Scope(int v, int* smem, int* out) : smem(smem), out(out) {
        smem[threadIdx.x] = v;
        __syncthreads();
    }
    __device__ ~Scope() {
        __syncthreads();
        if (threadIdx.x == 0)
            for (int k = 0; k < kThreads; k++) *out += smem[k];
    }
};
__device__ int plainSum(int v, int*) { return v * 15; }
__device__ int waitingSum(int v, int* smem) { return foldAll(v, smem); }
struct Shape {
    __device__ virtual int area(int v, int* smem) const = 0;
};
struct Alone : Shape {
    __device__ int area(int v, int*) const override { return v * 17; }
};
struct Together : Shape {
    __device__ int area(int v, int* smem) const override { return foldAll(v, smem); }
};
struct Pair {
    int one, two;
    double weights[4];
};
__device__ __noinline__ Pair both(Pair p, int* smem) {
    __syncthreads();
    p.one = foldAll(p.one, smem);
    __syncthreads();
    p.two = foldAll(p.two, smem);
    __syncthreads();
    return p;
}
__device__ __noinline__ void halve(int* smem, int d) {
    __syncthreads();
    if (d == 0) return;
    if (threadIdx.x < d) smem[threadIdx.x] += smem[threadIdx.x + d];
    halve(smem, d / 2);
}
#define KERNEL(name, ...)                   \
    __global__ void name(int* out) {        \
        __shared__ int smem[kThreads];      \
        const int v = threadIdx.x + 1;      \
        __VA_ARGS__                         \
    }
#define FIRST(expression)                   \
    const int sum = expression;             \
    if (threadIdx.x == 0) out[0] = sum;
KERNEL(functor, FIRST(Fold{smem}(v)))
__global__ void member(int* out) {
    __shared__ int smem[kThreads];
    Team team{smem};
    smem[threadIdx.x] = threadIdx.x + 1;
    team.sync();
    for (int half = blockDim.x / 2; half > 0; half /= 2) team.reduce(half);
    if (threadIdx.x == 0) out[0] = smem[0];
}
KERNEL(deduced, FIRST(foldAll(v, smem)))
KERNEL(scope, Scope all(v, smem, out);)
KERNEL(macro, smem[threadIdx.x] = v; __syncthreads(); int sum = 0; for (int k = 0; k < kThreads; k++) sum += smem[k];
       if (threadIdx.x == 0) out[0] = sum;)
__global__ void pointer(int* out, int which) {
    __shared__ int smem[kThreads];
    int (*const functions[])(int, int*) = {waitingSum, plainSum};
    const int sum = functions[which](which ? 8 : threadIdx.x + 1, smem);
    if (threadIdx.x == 0) out[0] = sum;
}
__global__ void virtually(int* out, int which) {
    __shared__ int smem[kThreads];
    Alone alone;
    Together together;
    const Shape* const shapes[] = {&together, &alone};
    const int sum = shapes[which]->area(which ? 8 : threadIdx.x + 1, smem);
    if (threadIdx.x == 0) out[0] = sum;
}
__global__ void lambda(int* out) {
    __shared__ int smem[kThreads];
    auto fold = [&](int v) { return foldAll(v, smem); };
    const int sum = fold(threadIdx.x + 1);
    if (threadIdx.x == 0) out[0] = sum;
}
__global__ void structure(int* out) {
    __shared__ int smem[kThreads];
    const int v = threadIdx.x + 1;
    const Pair p = both({v, 2 * v, {1, 2, 3, 4}}, smem);
    if (threadIdx.x == 0) out[0] = p.one, out[1] = p.two;
}
__global__ void recursion(int* out) {
    __shared__ int smem[kThreads];
    smem[threadIdx.x] = threadIdx.x + 1;
    halve(smem, blockDim.x / 2);
    if (threadIdx.x == 0) out[0] = smem[0];
}
__global__ void dynamic(int* out) {
    __shared__ int smem[kThreads];
    const int n = blockDim.x - threadIdx.x;
    int* const mine = (int*)__builtin_alloca(n * sizeof *mine);
    for (int k = 0; k < n; k++) mine[k] = threadIdx.x + 1;
    __syncthreads();
    const int sum = foldAll(mine[n - 1], smem);
    if (threadIdx.x == 0) out[0] = sum;
}
int* out;
template <class Kernel, class... More> int result(Kernel kernel, More... more) {
    cudaMemset(out, 0, 2 * sizeof(int));
    kernel<<<1, kThreads>>>(out, more...);
    int sum = 0;
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    return sum;
}
int main() {
    cudaMalloc(&out, 2 * sizeof(int));
    printf("functor %d\n", result(functor));
    printf("member %d\n", result(member));
    printf("deduced %d\n", result(deduced));
    printf("scope %d\n", result(scope));
    printf("macro %d\n", result(macro));
    printf("pointer %d %d\n", result(pointer, 0), result(pointer, 1));
    printf("virtual %d %d\n", result(virtually, 0), result(virtually, 1));
    printf("lambda %d\n", result(lambda));
    const int one = result(structure);
    int two = 0;
    cudaMemcpy(&two, out + 1, sizeof two, cudaMemcpyDeviceToHost);
    printf("struct %d %d\n", one, two);
    printf("recursion %d\n", result(recursion));
    printf("alloca %d\n", result(dynamic));
    return cudaFree(out);
}
