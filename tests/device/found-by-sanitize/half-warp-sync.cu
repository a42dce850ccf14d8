// 半分だけがそろった後、もう半分の書いたものを読む
// 期待: データ競合: 共有メモリ smem[
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem[32];
    unsigned lane = threadIdx.x;
    smem[lane] = 1;  // ここ
    __syncwarp(lane < 16 ? 0xffffu : 0xffff0000u);
    out[lane] = smem[lane ^ 16];  // ここ
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
