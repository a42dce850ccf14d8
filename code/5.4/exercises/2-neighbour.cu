// 5.4 ★★★ 隣との差を、1度の読み出しで足す
// 隣どうしの差の2乗 (in[i + 1] − in[i] の2乗) を、n − 1個の全部について足せ。今のカーネルは、値だけを足している。
// 読み出しは、全部でn回と、ブロックの境目ごとに1回までにせよ。
// ヒント: 1つの要素を、2つの差が使う。それぞれが `in` から読むと、2度読むことになる。
// ヒント: 読んだ値を共有メモリに並べれば、隣の人が読んだ値も使える。並べる場所は、`2 * kBlock` では1つ足りない。
// ヒント: 差は、要素より1つ少ない。終わりの要素に隣はない。
// 解説: ブロックの受け持ちと、次のブロックの先頭の1個を、続いた場所ごとに読んで `tile` に並べる。
// 解説: 全員が並べ終わってから、1人が `blockDim.x` だけ離れた2つの差を作り、足して `smem` に置く。
// 解説: 隣のない終わりの要素に、0を隣として使ってはいけない。足しても変わらない0は差の方であって、要素の方ではない。
// 解説: 境目の1個は2つのブロックが読む。ブロックの受け持ちを2倍にしたので、この無駄も半分で済んでいる。
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下の 2 のべき乗
static_assert((kBlock & (kBlock - 1)) == 0, "BLOCK は 2 のべき乗");

// --8<-- [start:kernel]
// 隣どうしの差の 2 乗を足す。ブロックの受け持ちは 2 * kBlock 個。in[i] と読むたびに、読んだ回数が数えられる
__global__ void addSteps(book::Counted<int> in, int* out, int n) {
    __shared__ int smem[kBlock];
    int tid = threadIdx.x;
    int i = blockIdx.x * (2 * blockDim.x) + tid;
    // --8<-- [start:answer] どの要素も 1 度だけ読み、2 つの差の 2 乗を足してから置く
    //- int first = i < n ? in[i] : 0;
    //- int second = i < n - kBlock ? in[i + kBlock] : 0;
    //- smem[tid] = first + second;
    __shared__ int tile[2 * kBlock + 1];  // 終わりの場所は、次のブロックの先頭
    if (i < n) tile[tid] = in[i];
    if (i < n - kBlock) tile[tid + kBlock] = in[i + kBlock];
    if (tid == 0 && i < n - 2 * kBlock) tile[2 * kBlock] = in[i + 2 * kBlock];
    __syncthreads();

    int first = i < n - 1 ? tile[tid + 1] - tile[tid] : 0;
    int second = i < n - 1 - kBlock ? tile[tid + kBlock + 1] - tile[tid + kBlock] : 0;
    smem[tid] = first * first + second * second;
    // --8<-- [end:answer]
    __syncthreads();

    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) smem[tid] += smem[tid + stride];
        __syncthreads();
    }
    if (tid == 0) atomicAdd(out, smem[0]);
}
// --8<-- [end:kernel]

void steps(const int* x_dev, int n, int* out_dev) {
    int blocks = (n - 1) / (2 * kBlock) + 1;
    CHECK(cudaMemset(out_dev, 0, sizeof(int)));
    book::countReads(x_dev, n + blocks - 1, out_dev,
                     [=](book::Counted<int> in) { addSteps<<<blocks, kBlock>>>(in, out_dev, n); });
}

// 答え合わせ: CPU で求めた合計と、got が違うときの手がかり
book::Expected<int> expect(const int* x, int n, int got) {
    int value = 0;
    for (int i = 0; i + 1 < n; i++) value += (x[i + 1] - x[i]) * (x[i + 1] - x[i]);
    return {value,
            got < 0                              ? "読み出しが %d 回で、多い: 同じ要素を 2 度読んでいないか"
            : got == value + x[n - 1] * x[n - 1] ? "終わりの要素の 2 乗だけ多い: 隣がないのに、0 との差を足した"
            : got < value                        ? "足していない差がある: 受け持ちの境目と、後の 1 個を確かめる"
                                                 : "余分な差を足したか、差でないものを足した",
            -got};
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, steps, expect, {"small", "ties"}); }
