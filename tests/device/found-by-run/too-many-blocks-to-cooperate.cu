// 同時に載らない大きさの協調起動
// 期待: 同時に載る
// 期待: cudaErrorCooperativeLaunchTooLarge
#include "../array.cuh"

__global__ void kernel(int* out) { *out = 1; }

int main() {
    ARRAY(int, out, 1);
    void* args[] = {&out};
    CHECK(cudaLaunchCooperativeKernel(kernel, dim3(1 << 20), dim3(1024), args));  // ここ
}
