// 2 つのブロックが、重なる 4 バイトと 1 バイトに書く
// 期待: データ競合: グローバルメモリ b[3]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(unsigned char* b) {
    if (blockIdx.x == 0) *(unsigned*)b = 0;  // ここ
    else b[3] = 1;  // ここ
}

int main() {
    unsigned char* b;
    CHECK(cudaMalloc(&b, 4096 * sizeof(unsigned char)));
    CHECK(cudaMemset(b, 0, 4096 * sizeof(unsigned char)));
    kernel<<<2, 1>>>(b);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(b));
    return 0;
}
