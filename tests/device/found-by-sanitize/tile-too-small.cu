// 4 人のタイルでそろい、8 人の中で受け渡す
// 期待: データ競合: 共有メモリ smem[
#include <cooperative_groups.h>

#include "../array.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem[64];
    auto tile = cooperative_groups::tiled_partition<4>(cooperative_groups::this_thread_block());
    smem[threadIdx.x] = 1;  // ここ
    tile.sync();
    out[threadIdx.x] = smem[threadIdx.x ^ 4];  // ここ
}

int main() {
    ARRAY(int, out, 4096, 0);
    kernel<<<1, 64>>>(out);
}
