// 5.8 1 度の起動で終える: 最後のブロックが仕上げる
// 部分和を書いたブロックは札を取る。最後の札を取ったブロックが、全部の部分和を番号の順に足す
// 測定: --n 1024, --n 65536, --n 1048576, --n 4194304, --n 16777216, --n 268435456
#include "block-sum.cuh"

// --8<-- [start:kernel]
__device__ unsigned ticket;  // 部分和を書き終えたブロックの数。初めは 0 で、起動をまたいで残る

// in の n 個をグリッドの全員で合計し、out に書く。ブロック b の部分和は part[b] に置く
__global__ void sumAll(const float* in, float* part, float* out, int n) {
    __shared__ bool last;  // このブロックが最後の札を取ったか
    int tid = threadIdx.x;
    float v = sumBlock(sumThread(in, n, gridDim.x));
    // --8<-- [start:answer] 部分和を書いて札を取る。最後のブロックだけが残って仕上げる (12 行)
    if (tid == 0) {
        part[blockIdx.x] = v;
        __threadfence();  // 部分和がどのブロックからも見えるようになってから、札を取る
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;  // 最後の札を取ると 0 に戻る
        __threadfence();  // 札を見てから、他のブロックの部分和を読む
    }
    __syncthreads();  // last が決まるまで、全員が待つ
    if (!last) return;

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
    book::Array<float> x_dev(x, n), part_dev(blocks), out_dev(1);  // 部分和は 1 ブロックに 1 個

    book::timerStart();
    sumAll<<<blocks, kBlock>>>(x_dev, part_dev, out_dev, n);
    CHECK(cudaGetLastError());
    book::timerStop();
    return out_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
