// 4 人のタイルでそろい、8 人の中で受け渡す
// 期待: データ競合: 共有メモリ smem[
// 終了コード: 1
#include <cooperative_groups.h>

#include "book.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem[64];
    auto tile = cooperative_groups::tiled_partition<4>(cooperative_groups::this_thread_block());
    smem[threadIdx.x] = 1;  // ここ
    tile.sync();
    out[threadIdx.x] = smem[threadIdx.x ^ 4];  // ここ
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
