// ポインタの値でなく、ポインタのアドレスを解放する (種の本の誤り)
// 期待: 先頭ではない
// 期待: cudaErrorInvalidValue
#include "book.cuh"

int main() {
    int* x_dev[2];
    CHECK(cudaMalloc(&x_dev[0], 100));
    CHECK(cudaFree(&x_dev[0]));  // ここ
}
