// 1 ブロックに 2048 スレッド
// 期待: 1 ブロックに 2048 スレッドは多すぎる (上限 1024)
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(int* out) { out[threadIdx.x] = 1; }

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 2048 * sizeof(int)));
    kernel<<<1, 2048>>>(out);  // ここ
    CHECK(cudaGetLastError());
    CHECK(cudaFree(out));
    return 0;
}
