// 前のブロックの旗を待って、前の和に足していく
#include "book.cuh"

__global__ void kernel(int* x, int* flag) {
    int b = int(blockIdx.x);
    if (b > 0) {
        while (atomicAdd(&flag[b - 1], 0) == 0) __nanosleep(10);
        __threadfence();
    }
    x[b] = b + (b > 0 ? x[b - 1] : 0);
    __threadfence();
    atomicExch(&flag[b], 1);
}

int main() {
    int* x;
    int* flag;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&flag, 4096 * sizeof(int)));
    CHECK(cudaMemset(flag, 0, 4096 * sizeof(int)));
    kernel<<<100, 1>>>(x, flag);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(flag));
    return 0;
}
