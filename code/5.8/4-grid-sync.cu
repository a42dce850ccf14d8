// 5.8 1 度の起動で終える: グリッドの全員をバリアで待つ
// 札の代わりに、全部のブロックを待つ命令を使う。全部のブロックが同時に載る起動が要る (協調起動)
// 測定: --n 1024, --n 65536, --n 1048576, --n 4194304, --n 16777216, --n 268435456
#include "block-sum.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// --8<-- [start:kernel]
// in の n 個をグリッドの全員で合計し、out に書く。ブロック b の部分和は part[b] に置く
__global__ void sumAll(const float* in, float* part, float* out, int n) {
    int tid = threadIdx.x;
    float v = sumBlock(sumThread(in, n, gridDim.x));
    // --8<-- [start:answer] 部分和を書き、全部のブロックを待つ。ブロック 0 だけが残って仕上げる (7 行)
    if (tid == 0) part[blockIdx.x] = v;
    cg::this_grid().sync();  // 全部のブロックを待つ。待つ前に書いたものは、待った後なら誰からも見える
    if (blockIdx.x > 0) return;

    v = 0;
    for (int i = tid; i < int(gridDim.x); i += kBlock) v += part[i];
    v = sumBlock(v);
    if (tid == 0) *out = v;
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

// --8<-- [start:host]
float sum(const float* x, int n) {
    if (n == 0) return 0;
    int blocks = gridSize(sumAll, n);
    book::Array<float> x_dev(x, n), out_dev(1);
    book::Array<float> part_dev(blocks);  // 部分和は 1 ブロックに 1 個

    book::timerStart();
    void* args[] = {&x_dev.data, &part_dev.data, &out_dev.data, &n};  // 引数は、置き場所を並べて渡す
    CHECK(cudaLaunchCooperativeKernel(sumAll, blocks, kBlock, args));
    book::timerStop();
    return out_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
