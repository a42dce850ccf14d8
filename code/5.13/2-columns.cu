// 5.13 いつも同じ、正しい総和: double を、丸めない整数として使う
// 1-integers との違いは 2 つ: 箱を 1 スレッドに 1 組ずつ持つ。箱を、初めに大きな数を入れた double にする
// 必要: sm_80
// 測定: なし
#include "columns.cuh"
#include "exact.cuh"

// --8<-- [start:host]
float sum(const float* x, long long n, int blocks) {
    book::Array<float> x_dev(x, n), out_dev(1);
    book::Array<Word> words(kWords);
    CHECK(cudaMemset(words, 0, kWords * sizeof(Word)));
    if (!blocks) blocks = smCount() * kExactPerSm;

    book::timerStart();
    exactAsync(x_dev, size_t(n), out_dev, words, blocks, 0);
    book::timerStop();
    return out_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return exact::run(argc, argv, __FILE__, sum); }
