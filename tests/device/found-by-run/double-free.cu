// 2 度解放する
// 期待: すでに解放した領域
// 期待: cudaErrorInvalidValue
#include "book.cuh"

int main() {
    int* p;
    CHECK(cudaMalloc(&p, 100));
    CHECK(cudaFree(p));
    CHECK(cudaFree(p));  // ここ
}
