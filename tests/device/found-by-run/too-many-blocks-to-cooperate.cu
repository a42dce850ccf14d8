// 同時に載らない大きさの協調起動
// 期待: 同時に載る
// 期待: cudaErrorCooperativeLaunchTooLarge
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(int* out) { *out = 1; }

int main() {
    int* out;
    CHECK(cudaMalloc(&out, sizeof(int)));
    void* args[] = {&out};
    CHECK(cudaLaunchCooperativeKernel(kernel, dim3(1 << 20), dim3(1024), args));  // ここ
    CHECK(cudaFree(out));
    return 0;
}
