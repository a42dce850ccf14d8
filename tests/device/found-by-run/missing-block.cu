// 一部のブロックが grid.sync() に来ない
// 期待: grid.sync() に来ないまま終わったブロック
// 期待: cudaErrorLaunchFailure
#include "book.cuh"

#include <cooperative_groups.h>

__global__ void kernel(int n) {
    if (int(blockIdx.x) < n) cooperative_groups::this_grid().sync();
}

int main() {
    int n = 1;
    void* args[] = {&n};
    CHECK(cudaLaunchCooperativeKernel(kernel, dim3(2), dim3(32), args));
    CHECK(cudaDeviceSynchronize());
}
