// 5.9 ライブラリと比べる: この本でいちばん速い総和
// 中身は sum.cuh にある。どの型でも動くので、ここでは 4 つの型で確かめる
// 必要: sm_80
// 測定: --n 1024, --n 65536, --n 1048576, --n 4194304, --n 16777216, --n 268435456
#include "sum.cuh"

// --8<-- [start:host]
template <class T> T sum(const T* x, long long n) {
    const int sms = smCount();
    book::Array<T> x_dev(x, n), out_dev(1);
    book::Array<Word> slots(slotCount(sms));
    CHECK(cudaMemset(slots, 0, slotCount(sms) * sizeof(Word)));

    book::timerStart();
    sumAsync(x_dev.data, size_t(n), out_dev.data, slots, sms, 0);
    book::timerStop();
    return out_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) {
    return book::run(argc, argv, __FILE__, {sum<float>, sum<double>, sum<int>, sum<long long>});
}
