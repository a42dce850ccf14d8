// 協調起動でも、grid.sync() なしに別のブロックの書いたものは読めない
// 期待: データ競合: グローバルメモリ x[
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* x, int* out) {
    x[blockIdx.x] = 1;  // ここ
    __syncthreads();
    out[blockIdx.x] = x[(blockIdx.x + 3) % 4];  // ここ
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    void* args[] = {&x, &out};
    CHECK(cudaLaunchCooperativeKernel(kernel, 4, 1, args));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
