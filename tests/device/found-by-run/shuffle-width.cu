// シャッフルの幅が 2 のべきではない
// 期待: シャッフルの幅 24 は使えない
// 期待: cudaErrorLaunchFailure
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(int* out) {
    out[threadIdx.x] = __shfl_down_sync(0xffffffff, int(threadIdx.x), 1, 24);  // ここ
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 32 * sizeof(int)));
    kernel<<<1, 32>>>(out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
