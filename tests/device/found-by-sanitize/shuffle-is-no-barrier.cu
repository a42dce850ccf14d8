// シャッフルを、メモリの待ち合わせの代わりにする
// 期待: データ競合: 共有メモリ smem[
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem[32];
    smem[threadIdx.x] = 1;  // ここ
    int v = __shfl_xor_sync(0xffffffffu, 1, 1);
    out[threadIdx.x] = v + smem[threadIdx.x ^ 1];  // ここ
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<1, 32>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
