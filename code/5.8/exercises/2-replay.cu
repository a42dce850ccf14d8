// 5.8 ★★★ 最後のブロックの方法を、グラフで何度も再生する
// ホスト側は、このカーネルの起動を1つだけグラフに記録し、3回続けて再生する。
// 今のカーネルでは、2回目から誰も最後にならない。再生のたびに正しく終わるようにせよ。
// ヒント: ホスト側は、再生と再生の間に何もしない。札を0に戻すのも、カーネルの仕事である。
// ヒント: 札を0に戻せるのは、もう誰も札を取りに来ないと分かっているスレッドだけである。
// 解説: 札を取り終えたことを知っているのは、最後の札を取ったスレッドである。そこで0に戻せば、次の再生は0から始まる。
// 解説: `atomicInc` の2つ目の引数でも、同じことができる。
// 解説: 初めに来たブロックが0に戻すと、すでに札を取ったブロックの分が消える。
#include "question.cuh"

#include "block-sum.cuh"

// --8<-- [start:kernel]
__device__ unsigned ticket;  // 部分和を書き終えたブロックの数。初めは 0 で、起動をまたいで残る

// in の n 個をグリッドの全員で合計し、out に足す。ブロック b の部分和は part[b] に置く
__global__ void sumAll(const float* in, float* part, float* out, int n) {
    __shared__ bool last;
    int tid = threadIdx.x;
    float v = sumBlock(sumThread(in, n, gridDim.x));
    if (tid == 0) {
        part[blockIdx.x] = v;
        __threadfence();
        // --8<-- [start:answer] 再生のたびに、ちょうど 1 つのブロックが最後になるようにする
        //- last = atomicAdd(&ticket, 1) == gridDim.x - 1;
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
        if (last) atomicExch(&ticket, 0);
        // --8<-- [end:answer]
        __threadfence();
    }
    __syncthreads();
    if (!last) return;

    v = 0;
    for (int i = tid; i < int(gridDim.x); i += kBlock) v += part[i];
    v = sumBlock(v);
    if (tid == 0) *out += v;  // 再生のたびに足す
}
// --8<-- [end:kernel]

constexpr int kReplays = 3;

void total(const float* x_dev, int n, float* out_dev) {
    int blocks = gridSize(sumAll, n);
    book::Array<float> part_dev(blocks);
    CHECK(cudaMemset(out_dev, 0, sizeof(float)));

    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    sumAll<<<blocks, kBlock, 0, stream>>>(x_dev, part_dev, out_dev, n);  // 記録されるだけで、まだ動かない
    CHECK(cudaGetLastError());
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int k = 0; k < kReplays; k++) CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
}

// 答え合わせ: CPU の合計を再生の数だけ足したものと、got が違うときの手がかり
book::Expected<float> expect(const float* x, int n, float got) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    for (int k = 0; k < kReplays; k++)
        if (got == k * sum)
            return {kReplays * sum, "仕上げたのは、再生のうちの %d 回だけである: 札が 0 から始まっていない", k};
    return {kReplays * sum, "まだ書かれていない部分和を足したか、2 つのブロックが仕上げた"};
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, total, expect, {"small"}); }
