// 5.9 ライブラリと比べる: この本でいちばん速い総和
// 中身は sum.cuh にある。どの型でも動くので、ここでは 4 つの型で確かめる
// 必要: sm_80
// 測定: --n 1024, --n 65536, --n 1048576, --n 4194304, --n 16777216, --n 268435456
#include "sum.cuh"

// --8<-- [start:host]
template <class T> T sum(const T* x, long long n) {
    int sms;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    T *x_dev, *out_dev, out;
    Word* slots;
    CHECK(cudaMalloc(&x_dev, std::max(n, 1LL) * sizeof(T)));  // n = 0 でも起動する
    CHECK(cudaMalloc(&out_dev, sizeof(T)));
    CHECK(cudaMalloc(&slots, slotCount(sms) * sizeof(Word)));
    CHECK(cudaMemset(slots, 0, slotCount(sms) * sizeof(Word)));
    CHECK(cudaMemcpy(x_dev, x, n * sizeof(T), cudaMemcpyHostToDevice));

    book::timerStart();
    sumAsync(x_dev, size_t(n), out_dev, slots, sms, 0);
    book::timerStop();

    CHECK(cudaMemcpy(&out, out_dev, sizeof(T), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_dev));
    CHECK(cudaFree(out_dev));
    CHECK(cudaFree(slots));
    return out;
}
// --8<-- [end:host]

int main(int argc, char** argv) {
    return book::run(argc, argv, __FILE__, {sum<float>, sum<double>, sum<int>, sum<long long>});
}
