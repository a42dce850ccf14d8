// 5.11 行と列の合計: どんな形でも、行ごとの合計
// 形とデバイスから、分け方の 1 つを選ぶ。中身は、持ち帰るヘッダの reduce.cuh にある
// 測定: なし
#include "../reduce/reduce.cuh"
#include "matrix.cuh"

// --8<-- [start:host]
// 行列 x の行ごとの合計を out に書く
template <class In> void sums(const In* x, float* out, int rows, int columns, size_t ld) {
    book::Array<In> x_dev(x, rows * ld);
    book::Array<float> out_dev(rows);
    size_t bytes = 0;
    CHECK(reduce::sumRows(nullptr, bytes, x_dev.data, out_dev.data, rows, columns, ld));
    book::Array<char> work(bytes);
    CHECK(reduce::prepare(work.data, bytes));

    book::timerStart();
    CHECK(reduce::sumRows(work.data, bytes, x_dev.data, out_dev.data, rows, columns, ld));
    book::timerStop();
    out_dev.copyTo(out, rows);
}
// --8<-- [end:host]

double depth(double n) { return 2 * book::tree(n); }  // スレッドの中は順に足すので、木より深い
int main(int argc, char** argv) {
    const auto each = matrix::Each::row;
    return matrix::run(argc, argv, __FILE__, {{sums<float>, depth, each}, {sums<__half>, depth, each}});
}
