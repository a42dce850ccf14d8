// 協調起動: 共有メモリの値を grid.sync() の前後で使い、隣のブロックと 2 つの配列を交互に読み書きする
#include "book.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;
constexpr int kBlocks = 6, kThreads = 64, kRounds = 3;

__device__ int rounds;  // ブロック 0 だけが数える

__global__ void pass(int* a, int* b) {
    __shared__ int mine[kThreads];
    cg::grid_group grid = cg::this_grid();
    int tid = threadIdx.x, next = (blockIdx.x + 1) % gridDim.x;
    mine[tid] = blockIdx.x;
    __syncthreads();
    for (int r = 0; r < kRounds; r++) {
        int* from = r % 2 ? b : a;
        int* to = r % 2 ? a : b;
        to[blockIdx.x * kThreads + tid] = from[next * kThreads + tid] + mine[kThreads - 1 - tid];
        if (grid.thread_rank() == 0) rounds++;
        grid.sync();
    }
}

// 手で書いた grid.sync(): 着いた数を、どのブロックも回りながら、アトミック演算か volatile で見る
__device__ unsigned arrived;
__global__ void turn(int* x) {
    const unsigned i = blockIdx.x * kThreads + threadIdx.x;
    x[i] = int(i);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1);
        while ((blockIdx.x % 2 ? atomicAdd(&arrived, 0) : *(volatile unsigned*)&arrived) < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    x[kBlocks * kThreads + i] = x[kBlocks * kThreads - 1 - i];
}

int main() {
    int *a, *b, *x, count, out[kBlocks * kThreads];
    CHECK(cudaMalloc(&x, 2 * sizeof out));
    void* given[] = {&x};
    CHECK(cudaLaunchCooperativeKernel(turn, kBlocks, kThreads, given));
    CHECK(cudaFree(x));
    CHECK(cudaMalloc(&a, sizeof out));
    CHECK(cudaMalloc(&b, sizeof out));
    CHECK(cudaMemset(a, 0, sizeof out));
    void* args[] = {&a, &b};
    CHECK(cudaLaunchCooperativeKernel(pass, kBlocks, kThreads, args));
    CHECK(cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(&count, rounds, sizeof count));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    bool right = count == kRounds;
    for (int k = 0; k < kBlocks * kThreads; k++) {
        int block = k / kThreads, sum = 0;
        for (int r = 0; r < kRounds; r++) sum += (block + r) % kBlocks;
        right = right && out[k] == sum;
    }
    printf(right ? "正しい\n" : "違う\n");
    return right ? 0 : 1;
}
