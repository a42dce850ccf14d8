// 5.1 アトミック演算: 1 つの変数に += する (競合)
// わざと誤り: 読んでから書くまでの間に他のスレッドが書き、その更新が失われる
#include "book.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下

// --8<-- [start:kernel]
// in の n 個の合計を out に足し込む。out は先に 0 にしておく
__global__ void sumAll(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) *out += in[i];  // 読む、足す、書くの 3 手。間に他のスレッドが入れる
}
// --8<-- [end:kernel]

// --8<-- [start:host]
int sum(const int* x, int n) {
    int *x_dev, *out_dev, out;
    CHECK(cudaMalloc(&x_dev, n * sizeof(int)));
    CHECK(cudaMalloc(&out_dev, sizeof(int)));

    CHECK(cudaMemcpy(x_dev, x, n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out_dev, 0, sizeof(int)));  // cudaMalloc した領域の中身は決まっていない

    book::timerStart();
    if (n > 0)  // ブロックが 0 個のグリッドは起動できない
        sumAll<<<(n + kBlock - 1) / kBlock, kBlock>>>(x_dev, out_dev, n);
    CHECK(cudaGetLastError());
    book::timerStop();

    CHECK(cudaMemcpy(&out, out_dev, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_dev));
    CHECK(cudaFree(out_dev));
    return out;
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
