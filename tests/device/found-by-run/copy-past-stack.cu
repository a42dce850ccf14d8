// ホストの変数 1 つに、2 つ分を写す
// 期待: コピー先のホストの配列は 4 バイトしかない
#include "book.cuh"

int main() {
    int *x, sum = 0;
    CHECK(cudaMalloc(&x, 2 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 2 * sizeof(int)));
    CHECK(cudaMemcpy(&sum, x, 2 * sizeof(int), cudaMemcpyDeviceToHost));  // ここ
    CHECK(cudaFree(x));
    return sum;
}
