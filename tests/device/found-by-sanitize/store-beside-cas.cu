// 1 人が普通に書き、他の人は atomicCAS で書く
// 期待: データ競合: グローバルメモリ out[0]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* out) {
    if (threadIdx.x == 0) *out = 5;  // ここ
    else atomicCAS(out, 0, 1);  // ここ
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<1, 64>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
