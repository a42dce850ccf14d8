// スタックより大きな配列
// 期待: スタック (64 KiB) を使い切った
// 期待: cudaErrorIllegalAddress
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(int* out, int n) {
    volatile int big[40000];
    for (int i = 0; i < n; i++) big[i] = i;
    *out = big[n - 1];
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, sizeof(int)));
    kernel<<<1, 1>>>(out, 40000);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
