// ブロックの中はバリアで、ブロックの間は起動で待ち合わせる
#include <cuda/barrier>

#include "../array.cuh"

// cuda::barrier を、全員で、また半分で待つ
__global__ void rounds(const int* x, int* out) {
    __shared__ int smem[256];
    __shared__ cuda::barrier<cuda::thread_scope_block> all, half;
    const int tid = threadIdx.x;
    if (tid == 0) init(&all, 256), init(&half, 128);
    __syncthreads();
    for (int k = 0; k < 8; k++) {
        smem[tid] = x[k];
        all.arrive_and_wait();
        if (tid < 128 && blockIdx.x < 9) smem[tid] += smem[tid + 128], half.arrive_and_wait();
        if (tid < 128 && blockIdx.x == 0) out[tid] = smem[127 - tid];
        all.arrive_and_wait();
    }
    if (tid >= 128) return all.arrive_and_drop();
    all.arrive_and_wait();
}

// __syncthreads_count() もバリアである
__global__ void countBarrier(int* out) {
    __shared__ int smem[64];
    smem[threadIdx.x] = int(threadIdx.x);
    int odd = __syncthreads_count(threadIdx.x % 2);
    out[threadIdx.x] = odd + smem[63 - threadIdx.x];
}

// ブロックごとの場所に、ブロックの中だけのアトミック演算で足す
__global__ void blockAtomics(int* x, int* out) {
    atomicAdd_block(&x[blockIdx.x], 1);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = x[blockIdx.x];
}

// 共有メモリの箱にアトミック演算で足し、バリアの後で全体に足す
__global__ void histogram(int* x, int* out) {
    __shared__ int bins[16];
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[(x[threadIdx.x] + threadIdx.x) % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

// ブロックの受け持ちの中だけで読み、バリアの後でその場に書く
__global__ void ownRange(int* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, next = threadIdx.x + 1 < blockDim.x ? i + 1 : i, other = next;
    int v = x[i] + x[other];
    __syncthreads();
    x[i] = v;
}

// 全ブロックが __constant__ と __device__ の表を読み、次のカーネルが表に書く
__constant__ int table[4] = {1, 2, 3, 4}, none = 0;
__device__ unsigned char marks[5];

__global__ void tables(int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[i % 4] + none + marks[i % 5];
}
__global__ void mark(int* out) {
    if (threadIdx.x < 5) marks[threadIdx.x] = (unsigned char)out[threadIdx.x];
}

// 全ブロックが同じ所を読み、次のカーネルが書く
__global__ void everyoneReads(int* x, int* out) {
    int v = 0;
    for (int k = 0; k < 16; k++) v += x[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
__global__ void next(int* x) { x[threadIdx.x] = 1; }

// 別の配列に書く差分を、起動ごとに入れ替える
__global__ void step(int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i] + x[i + 1];
}

// 0 にするカーネルと足すカーネルを分ける
__global__ void zero(int* out) { *out = 0; }
__global__ void add(int* x, int* out) { atomicAdd(out, x[blockIdx.x * blockDim.x + threadIdx.x]); }

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    countBarrier<<<1, 64>>>(out);
    blockAtomics<<<4, 64>>>(x, out);
    histogram<<<4, 64>>>(x, out);
    ownRange<<<4, 64>>>(x);
    tables<<<4, 64>>>(out);
    mark<<<1, 64>>>(out);
    everyoneReads<<<8, 64>>>(x, out);
    next<<<1, 64>>>(x);
    step<<<4, 64>>>(x, out);
    step<<<4, 64>>>(out, x);
    rounds<<<400, 256>>>(x, out);
    zero<<<1, 1>>>(out);
    add<<<4, 64>>>(x, out);
}
