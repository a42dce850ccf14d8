// 最後のブロックを、アトミックでない ++ で数える
// 期待: データ競合: グローバルメモリ count[0]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(unsigned* count, float* out) {
    if (threadIdx.x == 0) {
        unsigned t = (*count)++;  // ここ
        if (t == gridDim.x - 1) *out = 1;
    }
}

int main() {
    unsigned* count;
    float* out;
    CHECK(cudaMalloc(&count, sizeof(unsigned)));
    CHECK(cudaMalloc(&out, sizeof(float)));
    CHECK(cudaMemset(count, 0, sizeof(unsigned)));
    kernel<<<4, 32>>>(count, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(count));
    CHECK(cudaFree(out));
    return 0;
}
