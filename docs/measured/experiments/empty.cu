// 実験の基準: 何もしないカーネルを 1 つ起動する。時計が数える、仕事でない時間が分かる
#include "book.cuh"

__global__ void sumAll(float*) {}

float sum(const float*, int) {
    book::timerStart();
    sumAll<<<1, 32>>>(nullptr);
    CHECK(cudaGetLastError());
    book::timerStop();
    return 0;
}
