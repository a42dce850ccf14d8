// 5.8 1 度の起動で終える: 2 回起動する
// 5.7 のカーネルを 2 つの関数に分けた (block-sum.cuh)。することは同じで、小さな N でも測る
// 測定: --n 1024, --n 65536, --n 1048576, --n 4194304, --n 16777216, --n 268435456
#include "block-sum.cuh"

// --8<-- [start:kernel]
// in の n 個をグリッドの全員で合計し、ブロック b が受け持った分の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    float v = sumBlock(sumThread(in, n, gridDim.x));
    if (threadIdx.x == 0) out[blockIdx.x] = v;
}
// --8<-- [end:kernel]

float sum(const float* x, int n) { return sumTwoLaunches(sumBlocks, x, n); }
int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
