// 5.13 ★★★ 2つの語に、繰り上げながら足す
// 64ビットの数vを、32ビットの2つの語に足せ。words[0] が下、words[1] が上である。同時に足しても、失われてはならない。
// ヒント: 下の語があふれたことは、足した人が、足す前の値から知る。
// ヒント: 符号なしの足し算があふれると、結果は、足す前の値より小さくなる。
// 解説: `atomicAdd` は、足す前の値を返す。それに足すとあふれるかどうかは、その人だけの計算で分かる。
// 解説: 上の語には後から足すので、途中では2つの語が食い違う。全員が足し終えれば、どの順に足しても同じになる。
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数

// --8<-- [start:kernel]
__device__ void add(unsigned* words, long long v) {
    const unsigned low = unsigned(v), high = unsigned(v >> 32);
    // --8<-- [start:answer] 下の語に足し、あふれたら、上の語に 1 を余計に足す (2 行)
    const unsigned old = atomicAdd(&words[0], low);
    atomicAdd(&words[1], high + (old + low < old ? 1 : 0));
    // --8<-- [end:answer]
}

__global__ void sumAll(const int* in, unsigned* words, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) add(words, in[i] * ((1LL << 24) + 1));
}
// --8<-- [end:kernel]

// 64 ビットの合計を、比べやすい大きさの余りにする
__global__ void remainder(const unsigned* words, int* out) {
    *out = int((long long)((unsigned long long)words[1] << 32 | words[0]) % 1000003);
}

void sumOf(const int* x_dev, int n, int* out_dev) {
    book::Array<unsigned> words(2);
    CHECK(cudaMemset(words, 0, 2 * sizeof(unsigned)));
    sumAll<<<(n - 1) / kBlock + 1, kBlock>>>(x_dev, words, n);
    CHECK(cudaGetLastError());
    remainder<<<1, 1>>>(words, out_dev);
    CHECK(cudaGetLastError());
}

// 答え合わせ: 64 ビットの変数に足す
book::Expected<int> expect(const int* x, int n, int got) {
    long long value = 0;
    for (int i = 0; i < n; i++) value += x[i] * ((1LL << 24) + 1);
    return {int(value % 1000003),
            got == 0 ? "0 のままである: 2 つの語に足していない" : "上の語が違う: あふれた回数と、符号を確かめる"};
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, sumOf, expect, {"mixed", "edge"}); }
