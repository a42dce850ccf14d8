// シャッフルの幅が 2 のべきではない
// 期待: シャッフルの幅 24 は使えない
// 期待: cudaErrorLaunchFailure
#include "../array.cuh"

__global__ void kernel(int* out) {
    out[threadIdx.x] = __shfl_down_sync(0xffffffff, int(threadIdx.x), 1, 24);  // ここ
}

int main() {
    ARRAY(int, out, 32);
    kernel<<<1, 32>>>(out);
}
