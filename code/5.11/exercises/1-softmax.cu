// 5.11 ★★★ 行ごとのsoftmaxを、2度の読み出しで求める
// 行の値xを、exp(x − 最大値) を、行のexpの合計で割った値に変えよ。今のカーネルは入力を3度読む。2度にせよ。
// ヒント: 1度目に、最大値と、expの合計を一緒に畳む。演算子は5.10の `operators.cuh` にある。
// ヒント: `foldBlock` の答えを持つのは、スレッド0だけである。
// 解説: 最大値とexpの合計を組で畳めば、1度目の読み出しで2つとも求まり、2度目は、引いて割りながら書くだけになる。
// 解説: 時間が読み書きで決まるなら、3度読んで1度書くものは、2度読んで1度書くと4分の3になる。
#include "../5.10/block-fold.cuh"
#include "softmax.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");

// --8<-- [start:kernel]
// 行 blockIdx.x の columns 個を、softmax にして out に書く。in[i] と読むたびに、読んだ回数が数えられる
__global__ void softmaxRows(softmax::Input in, float* out, int columns) {
    __shared__ float top, sum;  // 行の最大値と、exp の合計
    int tid = threadIdx.x, first = blockIdx.x * columns;
    // --8<-- [start:answer] 最大値と合計を、1 度の読み出しで求める
    //- float m = -INFINITY, s = 0;
    //- for (int c = tid; c < columns; c += kBlock) m = fmaxf(m, in[first + c]);
    //- m = foldBlock<Max>(m);
    //- if (tid == 0) top = m;
    //- __syncthreads();
    //-
    //- for (int c = tid; c < columns; c += kBlock) s += expf(in[first + c] - top);
    //- s = foldBlock<Plus>(s);
    //- if (tid == 0) sum = s;
    //- __syncthreads();
    Softmax op;
    Softmax::Value v = op.identity();
    for (int c = tid; c < columns; c += kBlock) v = op(v, op.lift(in[first + c], c));
    v = foldBlock<Softmax>(v);
    if (tid == 0) top = v.max, sum = v.sum;
    __syncthreads();
    // --8<-- [end:answer]
    for (int c = tid; c < columns; c += kBlock) out[first + c] = expf(in[first + c] - top) / sum;
}
// --8<-- [end:kernel]

void ask(softmax::Input in, float* out_dev, int rows, int columns) {
    softmaxRows<<<rows, kBlock>>>(in, out_dev, columns);
    CHECK(cudaGetLastError());
}

int main(int argc, char** argv) { return softmax::run(argc, argv, __FILE__, ask, 2); }
