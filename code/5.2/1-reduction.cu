// 5.2 畳み込み法: 後半を前半に足し込む (2 つの配列)
// 1 つの変数に並ばず、要素の半分が同時に別々のアドレスへ足す
#include "book.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下

// --8<-- [start:kernel]
// in の前半 remain 個を out に写し、後半 reduce 個をその先頭から足す (remain >= reduce)
__global__ void addReduction(const float* in, float* out, int remain, int reduce) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // --8<-- [start:answer] 前半を写し、後半を足す。余ったスレッドは何もしない (4 行)
    if (i < remain) {  // 最後のブロックの余ったスレッドは、配列の外を読みも書きもしない
        out[i] = in[i];
        if (i < reduce) out[i] += in[i + remain];
    }
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

// --8<-- [start:host]
float sum(const float* x, int n) {
    if (n == 0) return 0;
    float* x_dev[2];
    CHECK(cudaMalloc(&x_dev[0], n * sizeof(float)));
    CHECK(cudaMalloc(&x_dev[1], n * sizeof(float)));
    CHECK(cudaMemcpy(x_dev[0], x, n * sizeof(float), cudaMemcpyHostToDevice));

    book::timerStart();
    int flip = 0;  // 今の配列は x_dev[flip]
    for (int len = n; len > 1;) {
        int reduce = len >> 1;        // 足される後半の長さ。len / 2 の切り捨て
        int remain = len - reduce;    // 残る前半の長さ。奇数なら 1 個多い
        addReduction<<<(remain + kBlock - 1) / kBlock, kBlock>>>(x_dev[flip], x_dev[!flip], remain, reduce);
        CHECK(cudaGetLastError());
        flip = !flip;
        len = remain;
    }
    book::timerStop();

    float out;
    CHECK(cudaMemcpy(&out, x_dev[flip], sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_dev[0]));
    CHECK(cudaFree(x_dev[1]));
    return out;
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
