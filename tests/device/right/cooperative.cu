// 協調起動
#include <cooperative_groups.h>

#include "../array.cuh"

// 番号の小さいブロックの旗を見る
__global__ void flags(int* x, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *x = 1;
        __threadfence();
        atomicExch(flag, 1);
    } else if (atomicAdd(flag, 0) == 1) {
        __threadfence();
        out[blockIdx.x] = *x;
    }
}

// 共有メモリは、grid.sync() の前に書いたものが後でも読める
__global__ void keepsShared(int* x, int* out) {
    __shared__ int smem[64];
    smem[threadIdx.x] = int(threadIdx.x);
    x[blockIdx.x * 64 + threadIdx.x] = 1;
    cooperative_groups::this_grid().sync();
    out[blockIdx.x * 64 + threadIdx.x] = smem[63 - threadIdx.x] + x[(3 - blockIdx.x) * 64 + threadIdx.x];
}

// grid.sync() を使わなくても、共有メモリはブロックごとに別である
__global__ void withoutSync(int* out) {
    __shared__ int smem[64];
    smem[threadIdx.x] = int(threadIdx.x);
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = smem[63 - threadIdx.x];
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, flag, 4096, 0);
    ARRAY(int, out, 4096, 0);
    void *first[] = {&x, &flag, &out}, *second[] = {&x, &out}, *third[] = {&out};
    CHECK(cudaLaunchCooperativeKernel(flags, 4, 1, first));
    CHECK(cudaLaunchCooperativeKernel(keepsShared, 4, 64, second));
    CHECK(cudaLaunchCooperativeKernel(withoutSync, 4, 64, third));
}
