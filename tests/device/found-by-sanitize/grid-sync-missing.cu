// 協調起動: 隣のブロックの値を読んだ後、書き換える前に grid.sync() で待つが、次の周の前に待たない
// 期待: データ競合: グローバルメモリ data[
// 期待: カーネル kernel<<<8, 64>>>
#include "../array.cuh"

#include <cooperative_groups.h>

__global__ void kernel(int* data, int rounds) {
    for (int r = 0; r < rounds; r++) {
        int v = data[(blockIdx.x + 1) % gridDim.x];  // ここ
        cooperative_groups::this_grid().sync();
        if (threadIdx.x == 0) data[blockIdx.x] = v + 1;  // ここ
    }
}

int main() {
    int rounds = 3;
    ARRAY(int, data, 8, 0);
    void* args[] = {&data, &rounds};
    CHECK(cudaLaunchCooperativeKernel(kernel, 8, 64, args));
}
