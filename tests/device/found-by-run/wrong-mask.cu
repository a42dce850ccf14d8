// 自分が入っていないマスクでワープの関数を呼ぶ
// 期待: 自分のマスクに入っていない
// 期待: cudaErrorLaunchFailure
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(int* out) {
    out[threadIdx.x] = __shfl_sync(0x0000ffff, int(threadIdx.x), 0);  // ここ
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 32 * sizeof(int)));
    kernel<<<1, 32>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
