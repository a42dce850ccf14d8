// 他の人が足している所を普通に読み、確かめずに使う
// 期待: データ競合: グローバルメモリ x[0]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* x, int* out) {
    out[threadIdx.x] = *x;  // ここ
    if (threadIdx.x % 2) atomicAdd(x, 1);  // ここ
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<1, 64>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
