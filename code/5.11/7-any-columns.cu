// 5.11 行と列の合計: どんな形でも、列ごとの合計
// 列は切り分け、行は 5.9 の slots で 1 つにまとめる。中身は rows.cuh にある
// 必要: sm_80
// 測定: なし
#include "matrix.cuh"
#include "rows.cuh"

// --8<-- [start:host]
// 行列 x の列ごとの合計を out に書く
template <class In> void sums(const In* x, float* out, int rows, int columns, size_t ld) {
    const int sms = smCount();
    book::Array<In> x_dev(x, rows * ld);
    book::Array<float> out_dev(columns);
    book::Array<Word> slots(matrixSlotCount(sms));
    CHECK(cudaMemset(slots, 0, matrixSlotCount(sms) * sizeof(Word)));

    book::timerStart();
    sumColumnsAsync(x_dev.data, rows, columns, ld, out_dev, slots, sms, 0);
    book::timerStop();
    out_dev.copyTo(out, columns);
}
// --8<-- [end:host]

double depth(double n) { return 2 * book::tree(n); }  // スレッドの中は順に足すので、木より深い
int main(int argc, char** argv) {
    const auto each = matrix::Each::column;
    return matrix::run(argc, argv, __FILE__, {{sums<float>, depth, each}, {sums<__half>, depth, each}});
}
