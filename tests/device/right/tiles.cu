// 8 人のタイルごとに、共有メモリで渡す
#include <cooperative_groups.h>

#include "book.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem[64];
    auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    for (int k = 0; k < 100; k++) {
        smem[threadIdx.x] = k;
        tile.sync();
        out[threadIdx.x] = smem[threadIdx.x ^ 7];
        tile.sync();
    }
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<1, 64>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
