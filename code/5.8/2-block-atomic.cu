// 5.8 1 度の起動で終える: 部分和をアトミック演算で足す
// 2 回目の起動をやめ、ブロックが自分の部分和を out に足す。足す順番は、動かすたびに変わりうる
// 測定: --n 1024, --n 65536, --n 1048576, --n 4194304, --n 16777216, --n 268435456
#include "block-sum.cuh"

// --8<-- [start:kernel]
// in の n 個をグリッドの全員で合計し、out に足し込む。out は先に 0 にしておく
__global__ void sumAll(const float* in, float* out, int n) {
    float v = sumBlock(sumThread(in, n, gridDim.x));
    // --8<-- [start:answer] ブロックの合計を、ブロックに 1 回だけ out に足す (1 行)
    if (threadIdx.x == 0) atomicAdd(out, v);
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

// --8<-- [start:host]
float sum(const float* x, int n) {
    if (n == 0) return 0;
    int blocks = gridSize(sumAll, n);
    book::Array<float> x_dev(x, n), out_dev(1);

    book::timerStart();
    CHECK(cudaMemset(out_dev, 0, sizeof(float)));  // 足すたびに要るので、時間に入れる
    sumAll<<<blocks, kBlock>>>(x_dev, out_dev, n);
    CHECK(cudaGetLastError());
    book::timerStop();
    return out_dev.first();
}
// --8<-- [end:host]

// 木の形に足した部分和を、ブロックの数だけ 1 つの変数に順に足す
double depth(double n) { return book::tree(n) + book::serial(gridSize(sumAll, int(n))); }

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum, depth); }
