// 5.1 アトミック演算: atomicAdd で足し込む (float)
// int を float に替える。足す順は決まっていないので、丸めの結果は動かすたびにわずかに変わりうる
#include "book.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下

// --8<-- [start:kernel]
// in の n 個の合計を out に足し込む。out は先に 0 にしておく
__global__ void sumAll(const float* in, float* out, int n) {
    // --8<-- [start:answer] 自分の番号を求め、n 個の中なら、その 1 個を out に足し込む (2 行)
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, in[i]);  // 3 手が分かれない 1 つの命令になる
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

// --8<-- [start:host]
float sum(const float* x, int n) {
    float *x_dev, *out_dev, out;
    CHECK(cudaMalloc(&x_dev, n * sizeof(float)));
    CHECK(cudaMalloc(&out_dev, sizeof(float)));

    CHECK(cudaMemcpy(x_dev, x, n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out_dev, 0, sizeof(float)));  // cudaMalloc した領域の中身は決まっていない

    book::timerStart();
    if (n > 0)  // ブロックが 0 個のグリッドは起動できない
        sumAll<<<(n + kBlock - 1) / kBlock, kBlock>>>(x_dev, out_dev, n);
    CHECK(cudaGetLastError());
    book::timerStop();

    CHECK(cudaMemcpy(&out, out_dev, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_dev));
    CHECK(cudaFree(out_dev));
    return out;
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum, book::serial); }
