// 端数のブロックの余ったスレッドが、配列の外を読む
// 期待: 触れてはいけないアドレス
// 期待: ブロック 3 のスレッド 232
// 期待: in (4000 バイト
// 期待: cudaErrorIllegalAddress
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(const int* in, int* out, int) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(out, in[i]);  // ここ
}

int main() {
    int *in, *out;
    CHECK(cudaMalloc(&in, 1000 * sizeof(int)));
    CHECK(cudaMalloc(&out, sizeof(int)));
    CHECK(cudaMemset(in, 0, 1000 * sizeof(int)));
    CHECK(cudaMemset(out, 0, sizeof(int)));
    kernel<<<4, 256>>>(in, out, 1000);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
