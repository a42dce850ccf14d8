// ホストの配列 (std::vector) より長く写す
// 期待: コピー先のホストの配列は 3996 バイトしかない
// 期待: 4000 バイトを写す
// 終了コード: 1
#include "book.cuh"

int main() {
    const int n = 1000;
    int* x;
    CHECK(cudaMalloc(&x, n * sizeof(int)));
    CHECK(cudaMemset(x, 0, n * sizeof(int)));
    std::vector<int> host(n - 1);
    cudaMemcpy(host.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);  // ここ
    CHECK(cudaFree(x));
    return 0;
}
