// 5.8 1 度の起動で終える: 起動を 1 つにまとめて頼む (CUDA グラフ)
// カーネルは 1-two-launches と同じ。2 つの起動を先に記録しておき、1 度の頼みで再生する
// 測定: --n 1024, --n 65536, --n 1048576, --n 4194304, --n 16777216, --n 268435456
#include "block-sum.cuh"

// --8<-- [start:kernel]
// in の n 個をグリッドの全員で合計し、ブロック b が受け持った分の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    float v = sumBlock(sumThread(in, n, gridDim.x));
    if (threadIdx.x == 0) out[blockIdx.x] = v;
}
// --8<-- [end:kernel]

// --8<-- [start:host]
float sum(const float* x, int n) {
    if (n == 0) return 0;
    int blocks = gridSize(sumBlocks, n);
    book::Array<float> x_dev(x, n), part_dev(blocks), out_dev(1);  // 部分和は 1 ブロックに 1 個

    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    sumBlocks<<<blocks, kBlock, 0, stream>>>(x_dev, part_dev, n);  // 記録されるだけで、まだ動かない
    CHECK(cudaGetLastError());
    sumBlocks<<<1, kBlock, 0, stream>>>(part_dev, out_dev, blocks);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphUpload(exec, 0));  // デバイスに送っておく。しないと、最初の再生のときに送られる

    book::timerStart();
    CHECK(cudaGraphLaunch(exec, 0));  // 2 つの起動を 1 度に頼む
    book::timerStop();
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    return out_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
