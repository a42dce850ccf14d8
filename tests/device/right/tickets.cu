// 最後に札を取ったブロックが仕上げる
#include "../array.cuh"

__device__ unsigned ticket;

__device__ void sum(const int* x, int* out) {
    int v = 0;
    for (unsigned k = threadIdx.x; k < gridDim.x * blockDim.x; k += blockDim.x) v += x[k];
    atomicAdd(out, v);
    if (threadIdx.x == 0) ticket = 0;
}

// フェンスは、全員が通るか、バリアの後で 1 人が全員の分を通る。札を見た後も、1 人が通るか、読む全員が通る
template <bool everyone, bool readers> __global__ void fences(int* x, int* out) {
    __shared__ bool last;
    x[blockIdx.x * blockDim.x + threadIdx.x] = int(threadIdx.x);
    if (everyone) __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (!everyone) __threadfence();
        last = atomicAdd(&ticket, 1u) == gridDim.x - 1;
        if (!readers) __threadfence();
    }
    __syncthreads();
    if (!last) return;
    if (readers) __threadfence();
    sum(x, out);
}

// 部分和を volatile で書き、volatile で読む。札を見た後のフェンスはない
__global__ void volatileParts(volatile int* x, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        x[blockIdx.x] = 1;
        __threadfence();
        last = atomicInc(&ticket, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    if (threadIdx.x == 0) {
        int v = 0;
        for (unsigned k = 0; k < gridDim.x; k++) v += x[k];
        x[0] = v;
        *out = v;
        ticket = 0;
    }
}

// どのブロックの 256 人も、それぞれフェンスを通って札を取る
__global__ void everyThread(int* x, int* out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    x[i] = 1;
    __threadfence();
    if (atomicAdd(&ticket, 1u) != n - 1) return;
    __threadfence();
    for (unsigned k = 0; k < n; k++) *out += x[k];
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    fences<true, false><<<8, 64>>>(x, out);
    fences<false, false><<<8, 64>>>(x, out);
    fences<false, true><<<8, 64>>>(x, out);
    volatileParts<<<8, 32>>>(x, out);
    everyThread<<<4, 256>>>(x, out);
}
