// 協調起動でも、grid.sync() なしに別のブロックの書いたものは読めない
// 期待: データ競合: グローバルメモリ x[
#include "../array.cuh"

__global__ void kernel(int* x, int* out) {
    x[blockIdx.x] = 1;  // ここ
    __syncthreads();
    out[blockIdx.x] = x[(blockIdx.x + 3) % 4];  // ここ
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    void* args[] = {&x, &out};
    CHECK(cudaLaunchCooperativeKernel(kernel, 4, 1, args));
}
