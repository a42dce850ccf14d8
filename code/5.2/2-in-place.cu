// 5.2 畳み込み法: 後半を前半に足し込む (1 つの配列)
// 足すのは [remain, len)、足される先は [0, reduce)。重ならないので、配列は 1 つで足りる
#include "book.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下

// --8<-- [start:kernel]
// x の後半 reduce 個を先頭から足す。x[remain] から後ろはもう使わない (remain >= reduce)
__global__ void addReduction(float* x, int remain, int reduce) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // --8<-- [start:answer] 後半を前半に足す (1 行)
    if (i < reduce) x[i] += x[i + remain];
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

// --8<-- [start:host]
float sum(const float* x, int n) {
    if (n == 0) return 0;
    float* x_dev;
    CHECK(cudaMalloc(&x_dev, n * sizeof(float)));
    CHECK(cudaMemcpy(x_dev, x, n * sizeof(float), cudaMemcpyHostToDevice));

    book::timerStart();
    for (int len = n; len > 1;) {
        int reduce = len >> 1;        // 足される後半の長さ。len / 2 の切り捨て
        int remain = len - reduce;    // 残る前半の長さ。奇数なら 1 個多い
        addReduction<<<(reduce + kBlock - 1) / kBlock, kBlock>>>(x_dev, remain, reduce);
        CHECK(cudaGetLastError());
        len = remain;
    }
    book::timerStop();

    float out;
    CHECK(cudaMemcpy(&out, x_dev, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_dev));
    return out;
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
