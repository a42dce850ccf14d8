// 普通の起動で grid.sync() を呼ぶ
// 期待: cudaLaunchCooperativeKernel で起動
// 期待: cudaErrorLaunchFailure
#include "book.cuh"

#include <cooperative_groups.h>

__global__ void kernel() { cooperative_groups::this_grid().sync(); }

int main() {
    kernel<<<2, 32>>>();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}
