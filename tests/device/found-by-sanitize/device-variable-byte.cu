// __device__ の旗を、2 つのブロックが普通に書く
// 期待: データ競合: グローバルメモリ done[0]
// 終了コード: 1
#include "book.cuh"

__device__ bool done;

__global__ void kernel(int* out) {
    if (out[blockIdx.x] == 0) done = true;  // ここ
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<2, 1>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
