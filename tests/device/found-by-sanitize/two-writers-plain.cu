// 2 人が 2 か所に逆の順に書く (普通の書き込み)
// 期待: データ競合: グローバルメモリ x[
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* x) {
    int b = int(blockIdx.x);
    x[b] = b + 1;  // ここ
    x[1 - b] = b + 3;  // ここ
}

int main() {
    int* x;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    kernel<<<2, 1>>>(x);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    return 0;
}
