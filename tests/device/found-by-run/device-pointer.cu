// ホストのコードが、デバイスのポインタの先を読む
// 期待: ホストのコードが、デバイスのメモリに触れた
// 期待: out (
// 期待: cudaMemcpy でホストに写してから読む
// 終了コード: 3
#include "book.cuh"

int main() {
    int* out;
    CHECK(cudaMalloc(&out, sizeof(int)));
    CHECK(cudaMemset(out, 0, sizeof(int)));
    printf("%d\n", *out);  // ここ
    CHECK(cudaFree(out));
    return 0;
}
