// 5.13 いつも同じ、正しい総和: double を、丸めない整数として使う
// 1-integers との違いは 2 つ: 箱を 1 スレッドに 1 組ずつ持つ。箱を、初めに大きな数を入れた double にする
// 測定: なし
#include "../reduce/exact.cuh"
#include "exact.cuh"

using Columns = reduce::Columns<float>;

// --8<-- [start:host]
float sum(const float* x, long long n, int blocks) {
    book::Array<float> x_dev(x, n), out_dev(1);
    book::Array<unsigned long long> words(Columns::Sum::kWords);
    CHECK(cudaMemset(words, 0, Columns::Sum::kWords * sizeof(*words)));
    int sms;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    if (!blocks) blocks = sms * Columns::kPerSm;

    book::timerStart();
    CHECK(reduce::exactAsync(x_dev.data, size_t(n), out_dev.data, words.data, blocks, 0));
    book::timerStop();
    return out_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return exact::run(argc, argv, __FILE__, sum); }
