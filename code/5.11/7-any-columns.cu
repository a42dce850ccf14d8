// 5.11 行と列の合計: どんな形でも、列ごとの合計
// 列は切り分け、行は 5.9 の封筒で 1 つにまとめる。中身は、持ち帰るヘッダの reduce.cuh にある
// 測定: なし
#include "../reduce/reduce.cuh"
#include "matrix.cuh"

// --8<-- [start:host]
// 行列 x の列ごとの合計を out に書く
template <class In> void sums(const In* x, float* out, int rows, int columns, size_t ld) {
    book::Array<In> x_dev(x, rows * ld);
    book::Array<float> out_dev(columns);
    size_t bytes = 0;
    CHECK(reduce::sumColumns(nullptr, bytes, x_dev.data, out_dev.data, rows, columns, ld));
    book::Array<char> work(bytes);
    CHECK(reduce::prepare(work.data, bytes));

    book::timerStart();
    CHECK(reduce::sumColumns(work.data, bytes, x_dev.data, out_dev.data, rows, columns, ld));
    book::timerStop();
    out_dev.copyTo(out, columns);
}
// --8<-- [end:host]

double depth(double n) { return 2 * book::tree(n); }  // スレッドの中は順に足すので、木より深い
int main(int argc, char** argv) {
    const auto each = matrix::Each::column;
    return matrix::run(argc, argv, __FILE__, {{sums<float>, depth, each}, {sums<__half>, depth, each}});
}
