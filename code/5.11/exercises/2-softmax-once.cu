// 5.11 ★★★ 行が載るなら、softmaxを1度の読み出しで求める
// 行が4096個までなら、共有メモリに載る。入力を1度だけ読んで、行ごとのsoftmaxを求めよ。
// ヒント: 読んだ値を共有メモリに置けば、後は何度読んでもよい。
// ヒント: どのスレッドが置いた値を、どのスレッドが読むのか。違う人が読むなら、その前にバリアが要る。
// 解説: 読みながら `row` に置き、畳むことも割ることも `row` から読む。グローバルメモリからは1度しか読まない。
// 解説: 同じスレッドが置いて読む限り、バリアは `foldBlock` の後の1つで足りる。
// 解説: 載るのは共有メモリの大きさまでである。それより長い行は、2度読む。
#include "../5.10/block-fold.cuh"
#include "softmax.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");

// --8<-- [start:kernel]
constexpr int kMost = 4096;  // 行の長さの上限。16 KiB の共有メモリに載る

// 行 blockIdx.x の columns 個を、softmax にして out に書く。in[i] と読むたびに、読んだ回数が数えられる
__global__ void softmaxRows(softmax::Input in, float* out, int columns) {
    __shared__ float row[kMost];
    __shared__ Softmax::Value whole;  // 行の最大値と、exp の合計
    int tid = threadIdx.x, first = blockIdx.x * columns;
    Softmax op;
    Softmax::Value v = op.identity();
    // --8<-- [start:answer] 入力を 1 度だけ読んで row に置き、畳み、割って書く
    //- for (int c = tid; c < columns; c += kBlock) v = op(v, op.lift(in[first + c], c));
    //- v = foldBlock<Softmax>(v);
    //- if (tid == 0) whole = v;
    //- __syncthreads();
    //- for (int c = tid; c < columns; c += kBlock) out[first + c] = expf(in[first + c] - whole.max) / whole.sum;
    for (int c = tid; c < columns; c += kBlock) {
        row[c] = in[first + c];
        v = op(v, op.lift(row[c], c));
    }
    v = foldBlock<Softmax>(v);
    if (tid == 0) whole = v;
    __syncthreads();
    for (int c = tid; c < columns; c += kBlock) out[first + c] = expf(row[c] - whole.max) / whole.sum;
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

void ask(softmax::Input in, float* out_dev, int rows, int columns) {
    softmaxRows<<<rows, kBlock>>>(in, out_dev, columns);
    CHECK(cudaGetLastError());
}

int main(int argc, char** argv) { return softmax::run(argc, argv, __FILE__, ask, 1); }
