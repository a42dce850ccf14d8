// ホストの配列 (malloc) より長い所から写す
// 期待: コピー元のホストの配列は 4000 バイトしかない
#include "book.cuh"

int main() {
    const size_t n = 1000;
    int* x;
    CHECK(cudaMalloc(&x, (n + 1) * sizeof(int)));
    int* host = static_cast<int*>(malloc(n * sizeof(int)));
    CHECK(cudaMemcpy(x, host, (n + 1) * sizeof(int), cudaMemcpyHostToDevice));  // ここ
    free(host);
    CHECK(cudaFree(x));
}
