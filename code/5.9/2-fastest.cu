// 5.9 ライブラリと比べる: この本でいちばん速い総和
// 中身は、持ち帰るヘッダの reduce.cuh にある。どの型でも動くので、ここでは 4 つの型で確かめる
// 測定: --n 1024, --n 65536, --n 1048576, --n 4194304, --n 16777216, --n 268435456
#include "../reduce/reduce.cuh"
#include "book.cuh"

// --8<-- [start:host]
template <class T> T sum(const T* x, long long n) {
    book::Array<T> x_dev(x, n), out_dev(1);
    size_t bytes = 0;
    CHECK(reduce::sum(nullptr, bytes, x_dev.data, out_dev.data, n));  // 作業領域の大きさを聞く
    book::Array<char> work(bytes);
    CHECK(reduce::prepare(work.data, bytes));

    book::timerStart();
    CHECK(reduce::sum(work.data, bytes, x_dev.data, out_dev.data, n));
    book::timerStop();
    return out_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) {
    return book::run(argc, argv, __FILE__, {sum<float>, sum<double>, sum<int>, sum<long long>});
}
