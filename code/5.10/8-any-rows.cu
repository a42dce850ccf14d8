// 5.10 総和の先: どんな形でも、行ごとの合計
// 形とデバイスから、これまでの 4 通りの 1 つを選ぶ。中身は rows.cuh にある
// 必要: sm_80
// 測定: なし
#include "matrix.cuh"
#include "rows.cuh"

// --8<-- [start:host]
// 行列 x の行ごとの合計を out に書く
template <class In> void sums(const In* x, float* out, int rows, int columns, size_t ld) {
    int sms;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    In* x_dev;
    float* out_dev;
    Word* slots;
    CHECK(cudaMalloc(&x_dev, rows * ld * sizeof(In)));
    CHECK(cudaMalloc(&out_dev, rows * sizeof(float)));
    CHECK(cudaMalloc(&slots, matrixSlotCount(sms) * sizeof(Word)));
    CHECK(cudaMemset(slots, 0, matrixSlotCount(sms) * sizeof(Word)));
    CHECK(cudaMemcpy(x_dev, x, rows * ld * sizeof(In), cudaMemcpyHostToDevice));

    book::timerStart();
    sumRowsAsync(x_dev, rows, columns, ld, out_dev, slots, sms, 0);
    book::timerStop();

    CHECK(cudaMemcpy(out, out_dev, rows * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_dev));
    CHECK(cudaFree(out_dev));
    CHECK(cudaFree(slots));
}
// --8<-- [end:host]

double depth(double n) { return 2 * book::tree(n); }  // スレッドの中は順に足すので、木より深い
int main(int argc, char** argv) {
    const auto each = matrix::Each::row;
    return matrix::run(argc, argv, __FILE__, {{sums<float>, depth, each}, {sums<__half>, depth, each}});
}
