// ブロックの中だけのアトミック演算で、全ブロックが同じ所に足す
// 期待: データ競合: グローバルメモリ out[0]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* out) {
    atomicAdd_block(out, 1);  // ここ
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<4, 64>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
