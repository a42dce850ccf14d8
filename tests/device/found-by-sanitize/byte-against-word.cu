// 1 人が 4 バイトで書き、別の人がその中の 1 バイトを読む
// 期待: データ競合: グローバルメモリ u[0]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(unsigned* u, unsigned char* b) {
    if (threadIdx.x == 0) *u = 1;  // ここ
    if (threadIdx.x == 40) *b = ((unsigned char*)u)[2];  // ここ
}

int main() {
    unsigned* u;
    unsigned char* b;
    CHECK(cudaMalloc(&u, 4096 * sizeof(unsigned)));
    CHECK(cudaMemset(u, 0, 4096 * sizeof(unsigned)));
    CHECK(cudaMalloc(&b, 4096 * sizeof(unsigned char)));
    CHECK(cudaMemset(b, 0, 4096 * sizeof(unsigned char)));
    kernel<<<1, 64>>>(u, b);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(u));
    CHECK(cudaFree(b));
    return 0;
}
